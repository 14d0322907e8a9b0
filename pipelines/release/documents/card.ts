/** README.md of a release: the dataset card, made of what the release's own files say and of nothing else. */
import type { Funnel } from "../../../schemas/types/funnel.js";
import { STATEMENT_FILE } from "../../audit/statement.js";
import { cardMetadata, configName, metadataText } from "./card-metadata.js";
import { citationText, funnelsText, licencesText, limitsText } from "./card-origin.js";
import { CROISSANT_FILE } from "./croissant.js";
import { grouped } from "./grouped.js";
import { hasJson } from "./hub-features.js";
import type { ReleaseContents } from "./index.js";
import { escaped, table } from "./markdown.js";
import type { ZoneFiles } from "./zone-files.js";

export const CARD_FILE = "README.md";

/** Ours beside the paper's: "1,556 (1,722)". */
const beside = (ours: number, published: number): string => `${grouped(ours)} (${grouped(published)})`;

function datasetsTable({ manifest, funnels, publicOnly }: ReleaseContents): string {
  const rows = Object.entries(manifest.datasets).flatMap(([dataset, entry]) => {
    const { published, splits = {} } = funnels[dataset] ?? {};
    const row = (
      name: string,
      ours: Pick<Funnel, "records" | "databases" | "ambiguities">,
      of: Funnel["published"] | undefined,
    ) => [
      name,
      of === undefined ? grouped(ours.records) : beside(ours.records, of.records),
      of === undefined ? grouped(ours.databases) : beside(ours.databases, of.databases),
      of === undefined ? grouped(ours.ambiguities) : beside(ours.ambiguities, of.ambiguities),
      name === dataset ? grouped(entry.avts) : "",
    ];
    const parts = Object.entries(splits).map(([split, counts]) =>
      row(`${dataset}, split ${split}`, counts, counts.published),
    );
    return [row(dataset, entry, published), ...parts];
  });
  const header = ["dataset", "records (paper)", "databases (paper)", "ambiguities (paper)", "requests"];
  const lines = [
    table(header, rows, [1, 2, 3, 4]),
    "",
    "A record is one reading of one request; readings of the same request share its `avt_id`. The paper's count stands in brackets.",
  ];
  if (publicOnly)
    lines.push("The ambiguities are counted here and told in the zones that this copy leaves out.");
  return lines.join("\n");
}

const READERS: readonly [zone: string, holds: string, readers: string][] = [
  ["public", "request, database, column meanings, public knowledge", "everybody"],
  ["oracle", "ambiguities: term, aliases, resolution, frozen response", "the simulated user, in part"],
  ["verifier", "reference SQL, other readings, comparison policy", "the verifier"],
  ["provenance", "source row, hashes, decisions", "who audits"],
];

function zonesText({ manifest }: ReleaseContents): string {
  const rows = READERS.map(([zone, holds, readers]) => [
    `\`${zone}\``,
    holds,
    readers,
    manifest.zones.some((one) => one === zone) ? "yes" : "no",
  ]);
  const lines = [
    "A record is cut into zones by who may read it, and a zone is a folder. A system that is evaluated reads `public/` and `databases/` and nothing else: success must come from asking.",
    "",
    table(["zone", "holds", "who may read it", "here"], rows),
  ];
  for (const [dataset, { zones }] of Object.entries(manifest.datasets)) {
    if (zones === undefined || zones.length === manifest.zones.length) continue;
    const kept = manifest.zones.filter((zone) => !zones.includes(zone)).map((zone) => `\`${zone}\``);
    lines.push(
      "",
      `Of ${dataset} the zone ${kept.join(", ")} is left out, because the source's authors withhold it; \`recipe/${dataset}/\` says what \`ambitab merge-private\` needs to join your own copy.`,
    );
  }
  return lines.join("\n");
}

function loadingText(zones: readonly ZoneFiles[]): string {
  const [first] = zones.filter(({ zone }) => zone === "public");
  if (first === undefined) return "";
  const other = zones.find(({ dataset, zone }) => dataset === first.dataset && zone === "oracle");
  const split = first.splits[0]?.split ?? "all";
  const loads = [first, ...(other === undefined ? [] : [other])].map(
    (one) =>
      `${one.zone === "public" ? "tasks" : one.zone} = load_dataset(REPOSITORY_OR_FOLDER, "${configName(one)}", split="${split}")`,
  );
  const needing = zones.filter(({ found }) => hasJson(found)).map((one) => `\`${configName(one)}\``);
  return [
    "With the `datasets` library, one configuration a dataset, and one for each private zone of it that is here:",
    "",
    "```python",
    "from datasets import load_dataset",
    "",
    ...loads,
    "```",
    "",
    "Zones join by `record_id`. A record's database is `databases/<dataset>/` and its `public.database.path`.",
    ...(needing.length === 0
      ? []
      : [
          "",
          `${needing.join(", ")} ${needing.length === 1 ? "has an object" : "have objects"} whose keys change from record to record, which needs datasets 4.7.0 or newer.`,
        ]),
    "",
    "With the tool that made it:",
    "",
    "```",
    "ambitab list .",
    ...(other === undefined
      ? ["ambitab predict . --asker ADDRESS --solver model"]
      : [`ambitab eval . --dataset ${first.dataset} --asker lexical --oracle deterministic --solver model`]),
    "ambitab export . --format parquet --to ../parquet",
    "```",
  ].join("\n");
}

function verifyingText({ publicOnly }: ReleaseContents): string {
  return [
    "```",
    "sha256sum --check --quiet SHA256SUMS   # every file is the one that was released",
    "ambitab audit .                        # hashes, zones, licences, leaks" +
      (publicOnly ? "" : ", lineage"),
    ...(publicOnly
      ? []
      : ["ambitab audit . --execute              # and each reference SQL gives what it must"]),
    "```",
    "",
    `\`${STATEMENT_FILE}\` is an in-toto statement with SLSA provenance over the same files: what they were made from, and by what. It is not signed. \`${CROISSANT_FILE}\` describes files and fields by Croissant 1.1.`,
  ].join("\n");
}

/** The card's text, its YAML at the head. */
export function card(contents: ReleaseContents, zones: readonly ZoneFiles[]): string {
  const { manifest } = contents;
  const what =
    "Each record has a request, the database that it is asked of, the ambiguities of the request with what a simulated user would answer, and the SQL that tells whether the question was understood.";
  const sections: [title: string, text: string][] = [
    ["Datasets", datasetsTable(contents)],
    ["Zones: who may read what", zonesText(contents)],
    ["Load it", loadingText(zones)],
    ["Verify it", verifyingText(contents)],
    ["From rows to records", funnelsText(contents)],
    ["Licences and attribution", licencesText(contents)],
    ["Known limits", limitsText(contents)],
    ["Citation", citationText(contents)],
  ];
  return [
    metadataText(cardMetadata(manifest, zones)),
    `# ${escaped(manifest.name)} ${escaped(manifest.version)}`,
    "",
    `Text-to-SQL tasks whose requests are *ambiguous*: a good system asks before it writes SQL. ${what}`,
    "",
    ...sections.flatMap(([title, text]) => [`## ${title}`, "", text, ""]),
  ].join("\n");
}
