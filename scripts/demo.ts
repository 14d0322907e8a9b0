import type { Command } from "commander";
import { PIPELINES } from "../pipelines/datasets/index.js";
import { EXIT } from "../pipelines/errors.js";
import { sampleFolder } from "../sources/index.js";
import { buildDatasets } from "./build.js";
import { findingsText } from "./terminal/findings.js";
import { funnelText } from "./terminal/funnel.js";
import { type CommonOptions, type SourceFolders, withCommonOptions } from "./terminal/options.js";
import { print, sayer } from "./terminal/say.js";
import { validatePath } from "./validate.js";

/** The samples of every source that a pipeline here reads. */
function sampleSources(): SourceFolders {
  const sources = new Set(PIPELINES.map(({ source }) => source));
  return Object.fromEntries([...sources].map((source) => [source, sampleFolder(source)]));
}

export function register(program: Command): void {
  withCommonOptions(
    program.command("demo").description("build and check the bundled samples: no server, key or network"),
  ).action(async (options: CommonOptions) => {
    const out = `${options.out}/demo`;
    const say = sayer(options.quiet);
    say("The bundled sample sources are small inventions of ours in the upstream files' exact formats.\n");
    const results = await buildDatasets([], {
      ...options,
      out,
      from: sampleSources(),
      seed: 0,
      keepGoing: false,
      strictReadings: false,
    });
    const { findings } = await validatePath(`${out}/build`, options);
    print(`\n${results.map(({ funnel }) => funnelText(funnel)).join("\n\n")}\n`);
    print(findingsText(findings, 1));
    const [first] = results;
    if (first !== undefined) {
      print("\nThree commands to try next:");
      print(`  npm run --silent ambitab -- list ${out}`);
      print(`  npm run --silent ambitab -- trace --out ${out} ambiqt/validation/row-0`);
      print(
        "  npm run --silent ambitab -- build ambiqt --from ambiqt=DIR   (a real copy of AmbiQT and Spider)",
      );
    }
    if (findings.some(({ severity }) => severity === "error")) process.exitCode = EXIT.checkFailed;
  });
}
