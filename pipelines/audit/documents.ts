/** Whether the card and the Croissant description of a release speak of the files that are here. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parse as parseYaml, YAMLError } from "yaml";
import type { Checks } from "./checks.js";
import { SUMS_FILE } from "./checksums.js";
import { error, type Finding } from "./finding.js";
import { orUnreadable } from "./unreadable.js";

/** The files of a release: which are here, and with which hash they are listed. */
export interface ReleaseFiles {
  path: string;
  present: readonly string[];
  listed: ReadonlyMap<string, string>;
  /** Whether a line of the list could not be read: then hashes that it may hold are not missed. */
  misread: boolean;
}

type Fields = Record<string, unknown>;
const isFields = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const listOf = (value: unknown): unknown[] =>
  Array.isArray(value) ? value : value === undefined ? [] : [value];
const isRelative = (url: string): boolean => !/^[a-z][a-z0-9+.-]*:/i.test(url);

/** A claim of a document: a file, and perhaps its hash. */
function claimFinding(
  document: string,
  file: string,
  sha256: string | undefined,
  { present, listed }: Pick<ReleaseFiles, "listed"> & { present: ReadonlySet<string> },
): Finding[] {
  if (file === SUMS_FILE) return [];
  // That a file of the list is missing is told already.
  if (!present.has(file))
    return listed.has(file) ? [] : [error("card", document, `names ${file}, which is not here`)];
  return sha256 === undefined || listed.get(file) === sha256
    ? []
    : [
        error(
          "card",
          document,
          `gives ${file} the sha256 ${sha256}, SHA256SUMS gives it ${listed.get(file)}`,
        ),
      ];
}

/** Files of a Croissant description, and their hashes. */
function croissantClaims(value: unknown): [string, string | undefined][] {
  if (!isFields(value)) return [];
  return listOf(value.distribution).flatMap((one): [string, string | undefined][] => {
    if (!isFields(one) || typeof one.contentUrl !== "string" || !isRelative(one.contentUrl)) return [];
    return [
      [
        decodeURI(one.contentUrl).replace(/^\.\//, ""),
        typeof one.sha256 === "string" ? one.sha256 : undefined,
      ],
    ];
  });
}

/** Files that a card's configurations load. */
function cardClaims(value: unknown): [string, undefined][] {
  if (!isFields(value)) return [];
  const files = listOf(value.configs).flatMap((config) =>
    isFields(config) ? listOf(config.data_files) : [],
  );
  return files.flatMap((one) => {
    const paths = typeof one === "string" ? [one] : isFields(one) ? listOf(one.path) : [];
    return paths.flatMap((path): [string, undefined][] =>
      typeof path === "string" && !/[*?[{]/.test(path) ? [[path, undefined]] : [],
    );
  });
}

/** The YAML before a card's text. */
const frontMatter = (text: string): string | undefined => /^---\r?\n([\s\S]*?)\r?\n---\r?\n/.exec(text)?.[1];

/** Every file that a document names is here, with the hash that it gives. The statement has a check of its own (statement.ts). */
export async function checkReleaseDocuments(files: ReleaseFiles, checks: Checks): Promise<Finding[]> {
  const findings: Finding[] = [];
  if (files.misread) {
    checks.leftOut("files and hashes that documents name", "SHA256SUMS cannot be read");
    return findings;
  }
  const present = new Set(files.present);
  const hold = (document: string, claims: readonly (readonly [string, string | undefined])[]): void => {
    checks.add("files and hashes that documents name", claims.length);
    for (const [file, sha256] of claims)
      findings.push(...claimFinding(document, file, sha256, { present, listed: files.listed }));
  };
  const read = (name: string): string => readFileSync(join(files.path, name), "utf8");
  for (const document of files.present.filter((name) => !name.includes("/"))) {
    if (document === "README.md") {
      const yaml = frontMatter(read(document));
      if (yaml === undefined) continue;
      try {
        hold(document, cardClaims(parseYaml(yaml)));
      } catch (cause) {
        if (!(cause instanceof YAMLError)) throw cause;
        findings.push(error("card", document, `its YAML does not parse: ${cause.message.split("\n")[0]}`));
      }
    } else if (document === "croissant.json") {
      await orUnreadable(findings, document, () =>
        hold(document, croissantClaims(JSON.parse(read(document)))),
      );
    }
  }
  return findings;
}
