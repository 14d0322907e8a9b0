import { readFileSync } from "node:fs";
import { test } from "vitest";
import { fragmentWords } from "../pipelines/datasets/bird-interact/fragment-words.js";
import { latexText } from "../pipelines/datasets/bird-interact/latex-text.js";
import { spellsOut } from "../pipelines/datasets/bird-interact/shared-definition.js";
import { readBirdInteract, readKnowledge } from "../sources/bird-interact/index.js";
test("x", async () => {
  for (const root of ["/work/shared/data/bird-interact", "sources/bird-interact/sample"]) {
    const s = await readBirdInteract(root);
    for (const t of s.tasks()) {
      if (t.kind === "error") { console.log(t.error.message); continue; }
      const v = t.value;
      console.log(v.instance_id, v.ground_truth.here, t.database.dump.here, t.database.knowledge.here);
      for (const a of [...v.critical, ...v.knowledge, ...v.non_critical]) console.log("   ", a.term, "=>", fragmentWords(a.sql_snippet));
    }
  }
  for (const db of ["alien","museum","credit","fake"]) {
  const f = `/work/shared/data/bird-interact/livesqlbench-base-lite-sqlite/${db}/${db}_kb.jsonl`;
  const kb = readKnowledge(readFileSync(f, "utf8"), f);
  for (const e of kb) { if (db==="alien") console.log(latexText(e.definition)); for (const o of kb) { if (o !== e) { const h = spellsOut(o.description + "\n" + o.definition, e.definition); if (h) console.log("   !!", h, e.name, "<-", o.name); } } }
  }
});
