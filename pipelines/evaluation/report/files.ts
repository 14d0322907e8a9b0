/** A report's files: page, Markdown, JSON, pictures. */
import { mkdirSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { reportHtml } from "./document/html.js";
import { reportMarkdown } from "./document/markdown.js";
import { reportText } from "./document/text.js";
import type { Report } from "./document/types.js";
import { drawPng, drawSvg } from "./figures/draw.js";

export const REPORT_FORMATS = ["text", "md", "html", "svg", "png", "json"] as const;
export type ReportFormat = (typeof REPORT_FORMATS)[number];

/** Whole or not at all: nobody sees half a page. */
function write(path: string, content: string | Buffer): string {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(`${path}.partial`, content);
  renameSync(`${path}.partial`, path);
  return path;
}

/** Every figure of a report as SVG, by its id. */
export async function drawFigures({ sections }: Report): Promise<Map<string, string>> {
  const pictures = new Map<string, string>();
  for (const figure of sections.flatMap(({ figures }) => figures))
    pictures.set(figure.id, await drawSvg(figure));
  return pictures;
}

/**
 * Writes the formats that are asked for into a folder: `report.txt`, `report.md`, `report.html` (one self-contained
 * page), `report.json`, and `<figure>.svg` or `.png`. Markdown shows PNG where it is written too, else SVG.
 *
 * @returns the files that were written
 */
export async function writeReport(
  report: Report,
  folder: string,
  formats: readonly ReportFormat[],
): Promise<string[]> {
  const wanted = new Set(formats);
  const drawn = ["md", "html", "svg", "png"].some((format) => wanted.has(format as ReportFormat));
  const pictures = drawn ? await drawFigures(report) : new Map<string, string>();
  const files: string[] = [];
  const add = (name: string, content: string | Buffer): void =>
    void files.push(write(join(folder, name), content));
  for (const [id, svg] of pictures) {
    if (wanted.has("svg") || (wanted.has("md") && !wanted.has("png"))) add(`${id}.svg`, svg);
    if (wanted.has("png")) add(`${id}.png`, await drawPng(svg));
  }
  const picture = wanted.has("png") ? "png" : "svg";
  if (wanted.has("text")) add("report.txt", `${reportText(report)}\n`);
  if (wanted.has("md"))
    add(
      "report.md",
      reportMarkdown(report, (id) => `${id}.${picture}`),
    );
  if (wanted.has("html")) add("report.html", reportHtml(report, pictures));
  if (wanted.has("json")) add("report.json", `${JSON.stringify(report, null, 1)}\n`);
  return files;
}
