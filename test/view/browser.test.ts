/** The view in a real browser: what a person does, by mouse, by keyboard and on a phone, and what hostile texts try. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { type Browser, type BrowserContextOptions, chromium, type Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { evaluate } from "../../pipelines/evaluation/run/index.js";
import { openParties } from "../../pipelines/evaluation/run/parties.js";
import { runScope } from "../../pipelines/evaluation/run/scope.js";
import { openSuite } from "../../pipelines/record/suite.js";
import { openSqliteSandbox } from "../../pipelines/sql/index.js";
import { serveView, type View } from "../../pipelines/view/index.js";
import { buildSample, temporaryFolder } from "../release/sample.js";
import { DATABASE, EPISODE, KEY, RECORD, TABLE, writeHostile } from "./hostile.js";

const CHROMIUM = [process.env.CHROMIUM ?? "", "/usr/bin/chromium", "/usr/bin/chromium-browser"].find(
  (path) => path !== "" && existsSync(path),
);
if (CHROMIUM === undefined) console.warn("skipped: no Chromium is here (set CHROMIUM to its path)");

/** A run of a few episodes on a build. */
async function someRun(build: string, folder: string): Promise<string> {
  const suite = openSuite(build);
  const sandbox = openSqliteSandbox({ children: 1 });
  const names = { asker: "lexical", oracle: "deterministic", solver: "reference-when-resolved" };
  const { asker, solver, oracleOf, settings } = await openParties(names, ["ambiqt"]);
  const conditions = { none: "none", asker: "lexical", full: "full" };
  const run = { ...runScope(suite, { limit: 8, seeds: [0] }), ...settings, conditions };
  await evaluate({ folder, suite, settings: run, asker, solver, oracleOf, sandbox, width: 2, resume: false });
  await sandbox.close();
  return folder;
}

describe.skipIf(CHROMIUM === undefined)("in a browser", () => {
  let browser: Browser;
  let view: View;
  let hostile: View;
  let hostileRun: string;
  beforeAll(async () => {
    const home = temporaryFolder();
    const build = await buildSample(home);
    const run = await someRun(build, join(home, "a run"));
    const elsewhere = temporaryFolder();
    const made = writeHostile(elsewhere);
    hostileRun = made.run.slice(elsewhere.length + 1);
    [browser, view, hostile] = await Promise.all([
      chromium.launch({
        executablePath: CHROMIUM ?? "",
        args: process.getuid?.() === 0 ? ["--no-sandbox"] : [],
      }),
      serveView({ path: join(build, "ambiqt"), runs: [run], port: 0 }),
      serveView({ path: made.build, runs: [made.run], port: 0 }),
    ]);
  });
  afterAll(async () => {
    await Promise.all([browser?.close(), view?.close(), hostile?.close()]);
  });

  /** Opens a page, does something there, and holds what no page may do: fail, open a dialog, ask anybody else. */
  async function onPage(
    of: View,
    path: string,
    act: (page: Page) => Promise<void>,
    options: BrowserContextOptions = {},
  ): Promise<void> {
    const context = await browser.newContext(options);
    const page = await context.newPage();
    const wrong: string[] = [];
    page.on("console", (message) => {
      if (message.type() === "error" || message.type() === "warning") wrong.push(message.text());
    });
    page.on("pageerror", (error) => wrong.push(error.message));
    page.on("dialog", (dialog) => {
      wrong.push(`dialog ${dialog.message()}`);
      void dialog.dismiss();
    });
    await context.route("**", (route) => {
      const { origin } = new URL(route.request().url());
      if (origin === new URL(of.url).origin) return route.continue();
      wrong.push(`asked ${origin}`);
      return route.abort();
    });
    try {
      await page.goto(new URL(path, of.url).href);
      await act(page);
      expect(wrong).toEqual([]);
    } finally {
      await context.close();
    }
  }
  const rows = (page: Page) => page.locator(".row > a");
  const count = async (page: Page): Promise<number> =>
    Number(/^[\d,]+/.exec((await page.locator(".found").textContent()) ?? "")?.[0].replaceAll(",", ""));
  const settled = (page: Page, words: string) => page.locator(".found", { hasText: words }).waitFor();

  it("filters as it is typed, keeps the filter in the address, and goes back to it", async () => {
    await onPage(view, "/records", async (page) => {
      const all = await count(page);
      await page.fill("#search", "zzz-nowhere");
      await settled(page, "0 records");
      expect(page.url()).toContain("q=zzz-nowhere");
      await page.fill("#search", "BOOKS.price");
      await settled(page, "8 records");
      const address = page.url();
      await page.goto("about:blank");
      await page.goto(address);
      expect(await count(page)).toBe(8);
      expect(await page.inputValue("#search")).toBe("BOOKS.price");
      await page.click(".clear");
      await settled(page, `${all} records`);
      expect(await page.inputValue("#search")).toBe("");
      await page.click(".facet a >> nth=0");
      await page.locator(".facet a[aria-current]").first().waitFor();
      await page.fill("#search", "price");
      await page.waitForURL(/dataset=ambiqt.*q=price/);
      await page.goBack();
      await page.locator(".facet a[aria-current]").waitFor({ state: "detached" });
    });
  });

  it("is worked by keys alone: search, rows, record, next, back to the row, help", async () => {
    await onPage(view, "/", async (page) => {
      await page.keyboard.press("g");
      await page.keyboard.press("r");
      await page.waitForURL(/\/records$/);
      await page.keyboard.press("/");
      await page.keyboard.type("price");
      await page.waitForURL(/q=price/);
      await page.keyboard.press("ArrowDown");
      await page.keyboard.press("j");
      await page.keyboard.press("ArrowDown");
      await page.keyboard.press("k");
      const focused = (): Promise<string | null> =>
        page.evaluate("document.activeElement.getAttribute('href')") as Promise<string | null>;
      const second = await rows(page).nth(1).getAttribute("href");
      expect(await focused()).toBe(second);
      await page.keyboard.press("Enter");
      await page.waitForURL(/\/record\?/);
      await page.keyboard.press("Escape");
      await page.waitForURL(/q=price/);
      await page.locator(".row > a:focus").waitFor();
      expect(await focused()).toBe(second);
      await page.keyboard.press("Enter");
      await page.waitForURL(/\/record\?/);
      const first = page.url();
      await page.keyboard.press("]");
      await page.waitForURL(({ href }) => href !== first);
      await page.keyboard.press("?");
      expect(await page.locator("#keys").isVisible()).toBe(true);
      await page.keyboard.press("Escape");
      expect(await page.locator("#keys").isVisible()).toBe(false);
      expect(page.url()).toContain("/record?");
    });
  });

  it("shows a record's zones, runs its readings, follows its lineage and reads an episode", async () => {
    await onPage(view, "/records?q=every+title", async (page) => {
      await rows(page).first().click();
      await page.waitForURL(/\/record\?/);
      expect(await page.locator(".zone").count()).toBe(4);
      expect(await page.locator(".hero mark").count()).toBeGreaterThan(0);
      await page.click("text=Run the readings");
      await page.locator(".result .cells").nth(1).waitFor();
      expect(await page.locator(".result .tag").first().textContent()).toBe("differs from the reference");
      await page.click("text=Show its tables");
      await page.locator(".zone.public .table-card").first().waitFor();
      const record = page.url();
      await page.locator(".lineage a").nth(1).click();
      expect(page.url()).toContain("#step-1");
      await page.click("text=The source row on a page of its own");
      await page.waitForURL(/\/row\?/);
      await page.locator(".lineage a").last().click();
      await page.waitForURL(/\/record\?/);
      await page.goto(record);
      await page.locator(".episodes a", { hasText: "full" }).click();
      await page.waitForURL(/\/episode\?/);
      expect(await page.locator(".said.asker").count()).toBe(1);
      expect(await page.locator(".said.oracle .credit").count()).toBe(1);
      expect(await page.locator(".said.verifier").textContent()).toContain("match");
      await page.click("text=Text 1");
      expect(await page.locator(".prompt").textContent()).toContain("table");
    });
  });

  it("works without its script", async () => {
    await onPage(
      view,
      "/records",
      async (page) => {
        await page.fill("#search", "price");
        await page.click("text=Filter >> visible=true");
        await page.waitForURL(/q=price/);
        await rows(page).first().click();
        await page.click("text=Run the readings");
        await page.waitForURL(/\/results\?/);
        expect(await page.locator(".result").count()).toBe(2);
      },
      { javaScriptEnabled: false },
    );
  });

  const PATHS = (): string[] => {
    const to = (path: string, query: Record<string, string>) => `${path}?${new URLSearchParams(query)}`;
    const table = TABLE.replaceAll("\u0000", "");
    return [
      "/",
      "/records",
      to("/records", { q: "term", dataset: RECORD }),
      to("/record", { id: RECORD }),
      to("/results", { id: RECORD }),
      to("/database", { dataset: "ambiqt", database: DATABASE, table }),
      "/dropped",
      to("/row", { key: KEY }),
      "/runs",
      to("/run", { run: hostileRun }),
      to("/episode", { run: hostileRun, id: EPISODE }),
      to("/prompt", { run: hostileRun, sha256: "a".repeat(64) }),
    ];
  };

  it("runs nothing of a hostile text, and no page is wider than a phone", async () => {
    await onPage(
      hostile,
      "/",
      async (page) => {
        for (const path of PATHS()) {
          await page.goto(new URL(path, hostile.url).href);
          const folded = page.locator("[data-into]");
          for (let left = await folded.count(); left > 0; left -= 1) {
            await folded.first().click();
            await folded.nth(left - 1).waitFor({ state: "detached" });
          }
          expect(await page.evaluate("window.pwned"), path).toBeUndefined();
          const made = "main img, main script, main [onload], main [onerror], main [href^='javascript:']";
          expect(await page.locator(made).count(), path).toBe(0);
          const wide = await page.evaluate("document.documentElement.scrollWidth - window.innerWidth");
          expect(wide, path).toBeLessThanOrEqual(0);
        }
      },
      { viewport: { width: 360, height: 740 }, isMobile: true, hasTouch: true },
    );
  });

  it.each(["light", "dark"] as const)("has readable contrast in the %s", async (colorScheme) => {
    await onPage(
      view,
      "/records",
      async (page) => {
        await rows(page).first().click();
        await page.waitForURL(/\/record\?/);
        const low = await page.evaluate(lowContrast);
        expect(low).toEqual([]);
        const ground = await page.evaluate("getComputedStyle(document.documentElement).backgroundColor");
        const [red = 0] = /\d+/.exec(String(ground))?.map(Number) ?? [];
        expect(red > 128).toBe(colorScheme === "light");
      },
      { colorScheme },
    );
  });
});

/** Texts whose colour has a contrast below 4.5 to 1 against what is behind them (WCAG 2.2, AA); run in the page. */
const lowContrast = `(() => {
  const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  const rgba = (colour) => {
    canvas.clearRect(0, 0, 1, 1);
    canvas.fillStyle = colour;
    canvas.fillRect(0, 0, 1, 1);
    return canvas.getImageData(0, 0, 1, 1).data;
  };
  const luminance = ([r, g, b]) => {
    const [x, y, z] = [r, g, b].map((one) => (one / 255 <= 0.04045 ? one / 255 / 12.92 : ((one / 255 + 0.055) / 1.055) ** 2.4));
    return 0.2126 * x + 0.7152 * y + 0.0722 * z;
  };
  const groundOf = (element) => {
    for (let one = element; one !== null; one = one.parentElement) {
      const colour = rgba(getComputedStyle(one).backgroundColor);
      if (colour[3] > 250) return colour;
    }
    return [255, 255, 255];
  };
  const low = [];
  for (const element of document.querySelectorAll("body *")) {
    const own = [...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim() !== "");
    if (!own || element.closest("dialog") || element.closest("svg")) continue;
    const [a, b] = [luminance(rgba(getComputedStyle(element).color)), luminance(groundOf(element))];
    const contrast = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    if (contrast < 4.5) low.push(element.className + " " + element.textContent.slice(0, 30) + " " + contrast.toFixed(2));
  }
  return low;
})()`;
