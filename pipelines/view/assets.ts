import { readFileSync } from "node:fs";
import { join } from "node:path";
import { compiledModule, PACKAGE_ROOT } from "../package-root.js";

export interface Asset {
  readonly type: string;
  readonly text: string;
}

const clientFile = (name: string): string => join(PACKAGE_ROOT, "dist", "pipelines", "view", "client", name);

/** The few files beside the pages; the script is compiled, so they are taken from the built package. */
export function readAssets(): ReadonlyMap<string, Asset> {
  const read = (path: string, type: string): Asset => ({
    type: `${type}; charset=utf-8`,
    text: readFileSync(path, "utf8"),
  });
  return new Map([
    ["style.css", read(clientFile("style.css"), "text/css")],
    ["icon.svg", read(clientFile("icon.svg"), "image/svg+xml")],
    ["page.js", read(compiledModule("pipelines/view/client/page"), "text/javascript")],
  ]);
}
