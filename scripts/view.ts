import { type Command, InvalidArgumentError } from "commander";
import { serveView } from "../pipelines/view/index.js";
import { type CommonOptions, wholeNumber, withCommonOptions } from "./terminal/options.js";
import { print, sayer } from "./terminal/say.js";

interface ViewCommandOptions extends CommonOptions {
  run: string[];
  port: number;
}

const DEFAULT_PORT = 4747;

/** A port's number. */
function portNumber(text: string): number {
  const port = wholeNumber(0)(text);
  if (port > 65_535) throw new InvalidArgumentError("expected a port from 0 to 65535");
  return port;
}

/** Until Ctrl-C or SIGTERM; a second one ends the process at once. */
const stopped = (): Promise<void> =>
  new Promise((resolve) => {
    let asked = false;
    const stop = (): void => {
      if (asked) process.exit(130);
      asked = true;
      resolve();
    };
    process.on("SIGINT", stop);
    process.on("SIGTERM", stop);
  });

export function register(program: Command): void {
  withCommonOptions(
    program
      .command("view")
      .description("a local page to browse records, lineage, databases and the episodes of runs")
      .argument("<path>", "a release, a build's folder, or the folder that holds several")
      .option("--run <dir...>", "folders of runs whose episodes to show", [])
      .option("--port <n>", "the port on 127.0.0.1; 0 takes any that is free", portNumber, DEFAULT_PORT),
  ).action(async (path: string, options: ViewCommandOptions) => {
    const say = sayer(options.quiet);
    const ended = stopped();
    const view = await serveView({ path, runs: options.run, port: options.port, say });
    const { url, records, broken, holdsPrivate } = view;
    for (const { why } of broken.slice(0, 20)) say(`not listed: ${why}`);
    if (broken.length > 20) say(`… and ${broken.length - 20} more lines that cannot be read`);
    print(options.json ? JSON.stringify({ url, records, broken: broken.length }) : url);
    const zones = holdsPrivate ? "private zones included" : "public zone only";
    say(`${records} records, ${zones}: to this machine only. Ctrl-C ends it.`);
    await ended;
    await view.close();
  });
}
