/** The pages by their addresses. All that decides a page is in its address, so that every page can be linked to. */
import { Hono } from "hono";
import { SourceError, SqlError, UserError } from "../errors.js";
import { answersOf } from "./answers.js";
import { readAssets } from "./assets.js";
import { guard } from "./guard.js";
import { messagePage } from "./pages/layout.js";
import { lineageRoutes } from "./routes/lineage.js";
import { recordRoutes } from "./routes/records.js";
import { runRoutes } from "./routes/runs.js";
import type { Viewed } from "./viewed.js";

/**
 * The view as a web application. It listens to nothing by itself: `serveView` does.
 *
 * @param say hears of refused requests and of bugs
 */
export function viewApp(viewed: Viewed, say: (text: string) => void): Hono {
  const answer = answersOf(viewed);
  const assets = readAssets();
  const app = new Hono();
  app.use(guard(say));
  recordRoutes(app, viewed, answer);
  lineageRoutes(app, viewed, answer);
  runRoutes(app, viewed, answer);
  app.get("/assets/:name", (c) => {
    const asset = assets.get(c.req.param("name"));
    if (asset === undefined) return c.text("there is no such file", 404);
    return c.body(asset.text, 200, { "content-type": asset.type });
  });
  app.notFound((c) => answer.missing(c, "No such page", `There is no page ${c.req.path}.`));
  app.onError(async (error, c) => {
    const told = error instanceof UserError || error instanceof SourceError || error instanceof SqlError;
    if (told) return answer.page(c, messagePage(viewed, "This page cannot be shown", error.message), 500);
    say(`a page of the view failed, which is a bug of ambitab: ${error.stack ?? error.message}`);
    const text = "This is a bug of ambitab; the terminal has its text.";
    return answer.page(c, messagePage(viewed, "This page failed", text), 500);
  });
  return app;
}
