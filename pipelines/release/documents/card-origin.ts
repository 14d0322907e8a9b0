/** The card's sections on where a release comes from: funnels, licences, limits, what to cite. */
import type { Funnel } from "../../../schemas/types/funnel.js";
import type { SourceManifest } from "../../../sources/index.js";
import { sourcesOf } from "./card-metadata.js";
import { BIBTEX, PAPER } from "./citation.js";
import { counted, grouped } from "./grouped.js";
import type { ReleaseContents } from "./index.js";
import { code, escaped, table } from "./markdown.js";

function funnelText(dataset: string, funnel: Funnel): string {
  const rows = funnel.stages.map(({ stage, in: before, dropped, out, reasons }) => [
    code(stage),
    grouped(before),
    grouped(dropped),
    grouped(out),
    Object.entries(reasons)
      .map(([reason, number]) => `${grouped(number)} ${code(reason)}`)
      .join(", "),
  ]);
  return [`### ${dataset}`, "", table(["stage", "in", "dropped", "out", "why"], rows, [1, 2, 3])].join("\n");
}

export function funnelsText({ manifest, funnels, publicOnly }: ReleaseContents): string {
  const parts = Object.keys(manifest.datasets).flatMap((dataset) => {
    const funnel = funnels[dataset];
    return funnel === undefined ? [] : [funnelText(dataset, funnel)];
  });
  const where = publicOnly
    ? "What became of every row of the sources; `funnel.json` has the same numbers."
    : "What became of every row of the sources. `dropped/` lists each row that is not here with its reason, `ledger/` each step of each row, and `funnel.json` has the same numbers.";
  const asked = Object.entries(manifest.datasets).filter(([, { responses }]) => responses !== undefined);
  const replay = asked.map(
    ([dataset]) =>
      `Models had a part in ${dataset}: \`responses/${dataset}.jsonl.gz\` keeps what they answered, and \`ambitab build ${dataset} --replay-only\` builds from it.`,
  );
  return [where, ...replay, ...parts].join("\n\n");
}

function licenceLines({ title, homepage, licence }: SourceManifest, datasets: string): string[] {
  const parts = licence.parts ?? [{ covers: "all of it", id: licence.id, url: licence.url ?? homepage }];
  return [
    `- **${escaped(title)}** (${datasets}; <${homepage}>): ${escaped(licence.attribution)}`,
    ...parts.map(({ covers, id, url }) =>
      id === "NOASSERTION"
        ? "  - its authors state no licence"
        : `  - ${escaped(covers)}: [${escaped(id)}](${url})`,
    ),
  ];
}

export function licencesText({ manifest }: ReleaseContents): string {
  const lines = sourcesOf(manifest).flatMap((source) => {
    const own = Object.entries(manifest.datasets).filter(([, one]) => one.source === source.source);
    const terms = own[0]?.[1].redistribution ?? "";
    const names = own.map(([dataset]) => dataset).join(", ");
    return [...licenceLines(source, names), `  - what a published release may carry: ${escaped(terms)}`];
  });
  const asked =
    "Each dataset keeps the licence of what it was made from; no licence covers all of the release. Whoever passes a part on gives its authors credit, says that it was changed, and where the licence is share-alike keeps the licence. [LICENSES.md](LICENSES.md) says what each asks, and `licences/` has the texts that are here.";
  return [asked, "", ...lines].join("\n");
}

/** What a reader must know before trusting a number, one line each, by the funnel and the manifest. */
export function limitsText({ manifest, funnels, publicOnly }: ReleaseContents): string {
  const lines: string[] = [];
  for (const [dataset, entry] of Object.entries(manifest.datasets)) {
    const funnel = funnels[dataset];
    if (funnel === undefined) continue;
    const less = (funnel.published?.records ?? entry.records) - entry.records;
    if (less !== 0) {
      lines.push(
        `${dataset} has ${counted(Math.abs(less), "record")} ${less > 0 ? "fewer" : "more"} than the paper's; figures on it are not the paper's.`,
      );
    }
    const missing = Object.entries(funnel.missing);
    const shown = missing
      .slice(0, 5)
      .map(([name, rows]) => `${code(name)}${rows === 0 ? "" : ` (${counted(rows, "row")})`}`);
    if (missing.length > 5) shown.push(`and ${counted(missing.length - 5, "other")}`);
    if (missing.length > 0)
      lines.push(`Missing from the copy of the source that ${dataset} was built from: ${shown.join(", ")}.`);
    const findings = Object.entries(funnel.findings).map(
      ([name, number]) => `${grouped(number)} ${code(name)}`,
    );
    if (findings.length > 0) lines.push(`Noticed in ${dataset} and kept: ${findings.join(", ")}.`);
  }
  lines.push(
    "Requests, schemas and answers are in English.",
    "A request's other readings are those that its source or the pipeline knows; a person may see more.",
    "The simulated user answers from frozen responses; how a real person would word them is not measured.",
    "The sources are public, so a model may have seen their questions and SQL; whoever holds a source can look readings up.",
  );
  if (publicOnly)
    lines.push(
      "Answers are hidden here: `ambitab predict` writes episodes, and whoever holds the private zones scores them.",
    );
  return lines.map((line) => `- ${line}`).join("\n");
}

export function citationText({ manifest }: ReleaseContents): string {
  const sources = sourcesOf(manifest).map(({ citation }) => `- ${escaped(citation)}`);
  return [
    `${manifest.name} is the benchmark of [${escaped(PAPER.title)}](${PAPER.url}). This release was rebuilt from public sources by ${escaped(manifest.made_by)} and is no publication of the paper's authors.`,
    "",
    "```bibtex",
    BIBTEX,
    "```",
    "",
    "Cite the sources, too:",
    "",
    ...sources,
  ].join("\n");
}
