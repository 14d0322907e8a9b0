import type { BuildLock } from "../../../schemas/types/lock.js";
import type { ReleaseStatement } from "../../../schemas/types/statement.js";
import { manifestOf, type SourceManifest } from "../../../sources/index.js";
import { PACKAGE_VERSION } from "../../package-root.js";
import { canonicalLine } from "../../record/schema-order.js";
import type { ReleaseFile } from "./files.js";
import type { ReleaseContents } from "./index.js";

type Dependency = ReleaseStatement["predicate"]["buildDefinition"]["resolvedDependencies"] extends (infer D)[]
  ? D
  : never;

/** What a build of this type does: builds of the named datasets, put into one folder by `ambitab release`. */
export const BUILD_TYPE = "https://ambitab.org/build-types/release/v1";

/**
 * The builder is the tool on somebody's own machine, and nothing vouches for that machine: SLSA Build level 1 at most. The
 * bytes are reproducible, so anybody with the sources can build the subjects again.
 */
export const BUILDER = "https://ambitab.org/builders/ambitab";

/** Where a file of a source can be downloaded, where the manifest binds exactly these bytes to an address. */
function downloadOf({ artefacts }: SourceManifest, path: string, sha256: string): string | undefined {
  const artefact = artefacts.find((one) => one.path === path || one.alternatives?.includes(path) === true);
  return artefact?.downloads?.find((one) => one.sha256 === sha256)?.url;
}

/** A source by its homepage and version, and where the lock may be told, each of its files by hash. */
function dependenciesOf(source: SourceManifest, version: string, lock: BuildLock | undefined): Dependency[] {
  const files = Object.entries(lock?.inputs ?? {}).map(([path, sha256]) => {
    const from = downloadOf(source, path, sha256);
    return {
      name: `${source.source}/${path}`,
      uri: source.homepage,
      digest: { sha256 },
      ...(from === undefined ? {} : { downloadLocation: from }),
    };
  });
  const whole = { name: source.source, uri: source.homepage, annotations: { source_version: version } };
  return [whole, ...files];
}

/** The sources that a release was made from. A file that several datasets read stands once. */
function dependencies({ manifest, locks, publicOnly }: ReleaseContents): Dependency[] {
  const known = new Map<string, Dependency>();
  for (const [dataset, entry] of Object.entries(manifest.datasets)) {
    const source = manifestOf(entry.source);
    if (source === undefined) throw new Error(`${dataset} names an unknown source ${entry.source}`);
    const lock = publicOnly ? undefined : locks[dataset];
    for (const one of dependenciesOf(source, entry.source_version, lock)) {
      const version = one.annotations?.source_version ?? "";
      known.set(`${one.name} ${version} ${one.digest?.sha256 ?? ""}`, one);
    }
    if (entry.merged_ground_truth !== undefined && !publicOnly) {
      const name = `${source.source}/merged ground truth`;
      known.set(name, { name, uri: source.homepage, digest: { sha256: entry.merged_ground_truth } });
    }
  }
  return [...known].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, one]) => one);
}

/**
 * The statement over a release's files: in-toto Statement v1 (in-toto/attestation, spec/v1/statement.md) with SLSA's
 * provenance v1 as predicate (slsa.dev/spec/v1.0/provenance). It has no time and no invocation, which SLSA leaves open, so
 * the same build gives the same bytes. What a build read is told file by file from its lock; a public-only release tells
 * the sources and their versions alone, because the lock goes with the private zones.
 *
 * @param files all files of the release but the statement and SHA256SUMS
 */
export function releaseStatement(contents: ReleaseContents, files: readonly ReleaseFile[]): ReleaseStatement {
  const { name, version, zones, datasets } = contents.manifest;
  const subject = files.map(({ path, sha256 }) => ({ name: path, digest: { sha256 } }));
  const [first, ...rest] = subject;
  if (first === undefined) throw new Error("a release without files has no statement");
  return {
    _type: "https://in-toto.io/Statement/v1",
    subject: [first, ...rest],
    predicateType: "https://slsa.dev/provenance/v1",
    predicate: {
      buildDefinition: {
        buildType: BUILD_TYPE,
        externalParameters: {
          name,
          version,
          zones: [...zones],
          datasets: Object.fromEntries(
            Object.entries(datasets).map(([dataset, { pipeline_version }]) => [dataset, pipeline_version]),
          ),
        },
        resolvedDependencies: dependencies(contents),
      },
      runDetails: { builder: { id: BUILDER, version: { ambitab: PACKAGE_VERSION } } },
    },
  };
}

/** The text of the statement's file. */
export function statementText(...given: Parameters<typeof releaseStatement>): string {
  return `${JSON.stringify(JSON.parse(canonicalLine("statement", releaseStatement(...given))), null, 1)}\n`;
}
