#!/usr/bin/env node
import { realpathSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { Command, CommanderError } from "commander";
import { EXIT, exitCodeOf, Interrupted, isDiskFull, UserError } from "../pipelines/errors.js";
import { PACKAGE_VERSION } from "../pipelines/package-root.js";

/** Each command's name and its file, in the order of the help; loaded when it is needed, so that every command starts fast. */
const COMMANDS: Record<string, () => Promise<{ register(program: Command): void }>> = {
  fetch: () => import("./fetch.js"),
  build: () => import("./build.js"),
  validate: () => import("./validate.js"),
  release: () => import("./release.js"),
  audit: () => import("./audit.js"),
  publish: () => import("./publish.js"),
  "merge-private": () => import("./merge-private.js"),
  eval: () => import("./eval.js"),
  diagnose: () => import("./diagnose.js"),
  report: () => import("./report.js"),
  export: () => import("./export.js"),
  diff: () => import("./diff.js"),
  compare: () => import("./compare.js"),
  predict: () => import("./predict.js"),
  answer: () => import("./answer.js"),
  score: () => import("./score.js"),
  trace: () => import("./trace.js"),
  list: () => import("./list.js"),
  show: () => import("./show.js"),
  view: () => import("./view.js"),
  models: () => import("./models.js"),
  doctor: () => import("./doctor.js"),
  demo: () => import("./demo.js"),
};

/** What a person sees of an error, and never a stack unless it is our bug. */
function report(error: unknown): void {
  if (error instanceof Interrupted) {
    const resume = error.resume === undefined ? "" : `; go on with: ${error.resume}`;
    process.stderr.write(`interrupted${resume}\n`);
    return;
  }
  if (isDiskFull(error)) {
    process.stderr.write(
      "error: the disk is full; nothing half-made was left, free some space and run it again\n",
    );
    return;
  }
  if (exitCodeOf(error) === EXIT.bug) {
    const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
    process.stderr.write(
      `this is a bug of ambitab ${PACKAGE_VERSION}; please report it with this text:\n${text}\n`,
    );
    return;
  }
  const { message } = error as Error;
  process.stderr.write(`error: ${message}\n`);
  if (error instanceof UserError && error.remedy !== undefined) process.stderr.write(`  ${error.remedy}\n`);
}

/** Runs one command line (the words after the program's name) and gives its exit code. */
export async function runCommand(argv: readonly string[]): Promise<number> {
  const program = new Command("ambitab")
    .description("Rebuild, audit, publish and evaluate the benchmark of ambiguous text-to-SQL tasks.")
    .version(PACKAGE_VERSION)
    // Options before a command are the program's, those after it are its own: `release --version` names a release.
    .enablePositionalOptions()
    .showHelpAfterError("(--help shows how the command is used)")
    .configureHelp({ showGlobalOptions: true });
  const [name = ""] = argv;
  const own = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  // Anything else (help, a slip of the pen) needs to know all commands.
  for (const load of own === undefined ? Object.values(COMMANDS) : [own]) (await load()).register(program);
  const quietly = (command: Command): void => {
    command.exitOverride();
    command.commands.forEach(quietly);
  };
  quietly(program);
  try {
    await program.parseAsync([...argv], { from: "user" });
    return Number(process.exitCode ?? EXIT.done);
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.done : EXIT.userMistake;
    report(error);
    return exitCodeOf(error);
  }
}

// Tests import this file and run commands in their own process; links to it, npm's among them, are it.
if (process.argv[1] !== undefined && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) {
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    // `ambitab list … | head` closes the pipe early; that is no mistake of anybody's.
    if (error.code === "EPIPE") process.exit(EXIT.done);
    throw error;
  });
  process.exitCode = await runCommand(process.argv.slice(2));
}
