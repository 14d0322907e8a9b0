/** The rows that are not in the benchmark, and the way of one row. */
import type { Hono } from "hono";
import type { Answers } from "../answers.js";
import { droppedPage, type PlacedDrop, rowPage } from "../pages/dropped.js";
import type { Viewed } from "../viewed.js";

export function lineageRoutes(app: Hono, viewed: Viewed, answer: Answers): void {
  const { lineage, catalogue } = viewed;
  const frame = viewed;
  const { suite } = catalogue;
  app.get("/dropped", async (c) => {
    const absent: string[] = [];
    const drops: PlacedDrop[] = [];
    for (const folder of suite.datasets) {
      const { dataset } = folder;
      const found = await lineage.drops(folder);
      if ("why" in found) {
        absent.push(`${dataset}: not shown: ${found.why}.`);
        continue;
      }
      for (const row of found.value.rows) drops.push({ dataset, row });
      absent.push(...found.value.broken);
    }
    const filter = {
      dataset: answer.asked(c, "dataset"),
      reason: answer.asked(c, "reason"),
      stage: answer.asked(c, "stage"),
      q: answer.asked(c, "q"),
    };
    return answer.page(c, droppedPage(frame, drops, absent, filter, answer.pageNumber(c)));
  });

  app.get("/row", async (c) => {
    const key = answer.asked(c, "key");
    const folder = suite.datasets.find(({ dataset }) => key.startsWith(`${dataset}/`));
    if (folder === undefined)
      return answer.missing(c, "No such row", `No dataset here has a row ${key || "without a key"}.`);
    const found = await lineage.row(folder, key);
    if ("why" in found) return answer.missing(c, "No such row", `${key}: ${found.why}.`);
    return answer.rendered(c, "ledger", found.value, () => rowPage(frame, found.value));
  });
}
