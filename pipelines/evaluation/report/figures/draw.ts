/** Vega-Lite specifications to SVG and PNG, without a browser. */
import type { TopLevelSpec } from "vega-lite";
import type { Figure } from "../document/types.js";

/** Fonts that the three systems have, without quotes, which not every renderer reads. */
const FONT = "Helvetica, Arial, Liberation Sans, DejaVu Sans, sans-serif";

const INK = "#1b2430";
const SOFT = "#5c6878";

const CONFIG = {
  background: "#ffffff",
  font: FONT,
  view: { stroke: null },
  axis: {
    labelColor: INK,
    titleColor: INK,
    labelFontSize: 11,
    titleFontSize: 11.5,
    titleFontWeight: "normal",
    domainColor: "#8a94a3",
    tickColor: "#8a94a3",
    gridColor: "#e6eaf0",
    tickSize: 4,
    titlePadding: 6,
  },
  axisX: { grid: false, labelFlush: false },
  legend: {
    labelFontSize: 11,
    titleFontSize: 11.5,
    labelColor: INK,
    titleColor: INK,
    symbolStrokeWidth: 1.5,
    symbolOpacity: 1,
    labelLimit: 320,
  },
  title: { fontSize: 12.5, fontWeight: "bold", anchor: "start", color: INK, subtitleColor: SOFT, offset: 10 },
  header: { labelFontSize: 11, titleFontSize: 11.5 },
};

const small = (dy: number, text: string): string => `<tspan dy="${dy}" font-size="75%">${text}</tspan>`;

/** `ΔRec_spec^Q` with its index below and its exponent above the line, as it is printed. */
function withIndices(text: string): string {
  return text.replace(
    /Δ(J|Rec)_([a-z]+)(\^Q)?(.*)/,
    (_all, name: string, index: string, exponent: string | undefined, rest: string) => {
      const raised = exponent === undefined ? "" : small(-7, "Q");
      const back = rest === "" ? "" : `<tspan dy="${exponent === undefined ? -3 : 4}">${rest}</tspan>`;
      return `Δ${name}${small(3, index)}${raised}${back}`;
    },
  );
}

/** The picture as SVG text. Names inside are made the figure's own, so that several can stand on one page. */
export async function drawSvg({ id, spec }: Figure): Promise<string> {
  // Loaded here: the libraries take longer to load than most commands run.
  const [{ compile }, vega] = await Promise.all([import("vega-lite"), import("vega")]);
  const compiled = compile({ config: CONFIG, padding: 12, ...spec } as TopLevelSpec).spec;
  vega.resetSVGDefIds();
  const view = new vega.View(vega.parse(compiled), { renderer: "none", logLevel: vega.Error });
  try {
    const svg = await view.toSVG();
    return svg
      .replace(/(?<=>)[^<>]*Δ[^<>]*(?=<)/g, withIndices)
      .replace(/\bid="([^"]+)"/g, `id="${id}-$1"`)
      .replace(/url\(#([^)]+)\)/g, `url(#${id}-$1)`);
  } finally {
    view.finalize();
  }
}

/** The picture as PNG, at twice its size in points. */
export async function drawPng(svg: string): Promise<Buffer> {
  const { Resvg } = await import("@resvg/resvg-js");
  const resvg = new Resvg(svg, {
    fitTo: { mode: "zoom", value: 2 },
    background: "#ffffff",
    font: { loadSystemFonts: true, defaultFontFamily: "DejaVu Sans", sansSerifFamily: "DejaVu Sans" },
  });
  return resvg.render().asPng();
}
