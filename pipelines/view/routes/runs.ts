/** The runs, their episodes, and the texts that asker and solver were given. */
import type { Context, Hono } from "hono";
import type { Answers } from "../answers.js";
import { episodePage, promptPage, runPage, runsPage } from "../pages/episodes.js";
import { entryOf } from "../read/catalogue.js";
import { openRecord } from "../read/open-record.js";
import type { OpenRun } from "../read/runs.js";
import type { Viewed } from "../viewed.js";

export function runRoutes(app: Hono, viewed: Viewed, answer: Answers): void {
  const { catalogue, runs } = viewed;
  const frame = viewed;
  const runOf = (c: Context): OpenRun | undefined => runs.find(({ name }) => name === answer.asked(c, "run"));
  const noRun = (c: Context) =>
    answer.missing(
      c,
      "No such run",
      `This view was not started with a run called ${answer.asked(c, "run") || "nothing"}.`,
      "Name its folder with --run DIR.",
    );
  app.get("/runs", async (c) => {
    const sizes = new Map<string, number>();
    for (const run of runs) sizes.set(run.name, (await run.episodes()).entries.length);
    return answer.page(c, runsPage(frame, sizes));
  });
  app.get("/run", async (c) => {
    const run = runOf(c);
    if (run === undefined) return noRun(c);
    const filter = {
      dataset: answer.asked(c, "dataset"),
      condition: answer.asked(c, "condition"),
      verdict: answer.asked(c, "verdict"),
      q: answer.asked(c, "q"),
    };
    return answer.page(c, runPage(frame, run, await run.episodes(), filter, answer.pageNumber(c)));
  });
  app.get("/episode", async (c) => {
    const run = runOf(c);
    if (run === undefined) return noRun(c);
    const entry = (await run.episodes()).byId.get(answer.asked(c, "id"));
    if (entry === undefined)
      return answer.missing(
        c,
        "No such episode",
        `The run ${run.name} has no episode ${answer.asked(c, "id") || "without an id"}.`,
      );
    const record = entryOf(catalogue, entry.record_id);
    const request =
      record === undefined ? undefined : (await openRecord(record, catalogue.shown)).record.public?.request;
    const episode = await run.episode(entry);
    return answer.rendered(c, "episode", episode, () => episodePage(frame, run, episode, request));
  });
  app.get("/prompt", async (c) => {
    const run = runOf(c);
    if (run === undefined) return noRun(c);
    const prompt = await run.prompt(answer.asked(c, "sha256"));
    if (prompt === undefined)
      return answer.missing(c, "No such prompt", `The run ${run.name} logged no prompt with this hash.`);
    return answer.page(c, promptPage(frame, prompt));
  });
}
