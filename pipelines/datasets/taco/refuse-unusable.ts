import { drop, itemStage, keep } from "../../engine/stage.js";
import { changingCall } from "../../sql/index.js";
import type { FromTable, SourceRow, StatementRow } from "./items.js";
import { findPlaceholder } from "./placeholder.js";
import { quotedQualifiedName } from "./quoted-names.js";
import { countStatements, syntaxError, tableRead } from "./statement-text.js";

/**
 * Step 1 of the conversion: the statement must be one plain SELECT over one table. Told from its text alone, so that it
 * works where the database is not there. What a statement has several of counts under the reason that tells most: a
 * Markdown fence or an unfilled placeholder does not parse either.
 */
export const refuseUnusable = itemStage({
  name: "refuse-unusable",
  version: "1",
  module: import.meta.url,
  select: ({ sql, columns, region }: SourceRow) => ({ sql, columns, region }),
  run({ sql, columns, region }) {
    if (/```|~~~|^\s*\*\*|\*\*\s*$/m.test(sql))
      return drop("markdown", "a Markdown fence or emphasis is in it");
    const count = countStatements(sql);
    if (count !== 1)
      return drop(count === 0 ? "unparsable" : "several_statements", `holds ${count} statements`);
    const placeholder = findPlaceholder(sql, { foreignScripts: region !== "us" });
    if (placeholder !== undefined) return drop("placeholder", placeholder);
    const message = syntaxError(sql);
    if (message !== undefined) return drop("unparsable", `SQLite: ${message}`);
    const reading = tableRead(sql);
    if ("refused" in reading) return drop(reading.refused, reading.detail);
    const quoted = quotedQualifiedName(sql, reading.reads, columns);
    if (quoted !== undefined) {
      return drop(
        "quoted_qualified_name",
        `${quoted} is in one pair of quotes, so it would be text, not a column`,
      );
    }
    const call = changingCall(sql);
    if (call !== undefined) return drop("unsteady_result", `${call} gives another result at each run`);
    return keep<FromTable>(reading.reads);
  },
  merge: (row, from): StatementRow => ({ ...row, from }),
});
