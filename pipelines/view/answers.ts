import type { Context } from "hono";
import { schemaFaults } from "../record/check-schema.js";
import { type Frame, messagePage } from "./pages/layout.js";
import { type Markup, madeVisible } from "./pages/markup.js";

type Status = 200 | 404 | 422 | 500;

/** What a request asked for, and how it is answered. */
export interface Answers {
  /** A parameter of the address; empty where it is not given. */
  asked(c: Context, name: string): string;
  /** The page of a list that was asked for; the first where that is no number. */
  pageNumber(c: Context): number;
  page(c: Context, markup: Markup, status?: Status): Promise<Response>;
  /** A page that says what is not here. */
  missing(c: Context, title: string, text: string, remedy?: string): Promise<Response>;
  /** A page of a line; where the line breaks its schema so far that there is no page, the fault. Else it is our bug. */
  rendered(
    c: Context,
    schema: "record" | "ledger" | "episode",
    line: object,
    make: () => Markup | Promise<Markup>,
  ): Promise<Response>;
}

export function answersOf(frame: Frame): Answers {
  const page = async (c: Context, markup: Markup, status: Status = 200): Promise<Response> =>
    c.html(madeVisible(String(await markup)), status);
  const asked = (c: Context, name: string): string => c.req.query(name) ?? "";
  return {
    asked,
    page,
    pageNumber(c) {
      const text = asked(c, "page");
      return /^\d{1,9}$/.test(text) ? Number(text) : 1;
    },
    missing: (c, title, text, remedy) => page(c, messagePage(frame, title, text, remedy), 404),
    async rendered(c, schema, line, make) {
      try {
        return await page(c, await make());
      } catch (error) {
        const [fault] = schemaFaults(schema, line);
        if (!(error instanceof TypeError) || fault === undefined) throw error;
        const what = schema === "ledger" ? "row" : schema;
        return page(c, messagePage(frame, `This ${what} breaks its schema`, fault), 422);
      }
    },
  };
}
