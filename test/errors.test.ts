import { describe, expect, it } from "vitest";
import {
  describePlace,
  EXIT,
  exitCodeOf,
  Interrupted,
  SourceError,
  SourceErrors,
  SqlError,
  UserError,
} from "../pipelines/errors.js";

const coded = (code: string): Error => Object.assign(new Error("no room"), { code });

describe("exit codes (spec 12)", () => {
  it.each([
    ["a person's mistake", new UserError("no such dataset"), EXIT.userMistake],
    ["a bad row", new SourceError({ file: "x.json", row: 3 }, "no question"), EXIT.userMistake],
    ["several bad rows", new SourceErrors("ambiqt", []), EXIT.userMistake],
    ["a full disk", coded("ENOSPC"), EXIT.userMistake],
    ["a full disk under SQLite", coded("SQLITE_FULL"), EXIT.userMistake],
    ["an interruption", new Interrupted(), EXIT.interrupted],
    ["SQL of ours that fails", new SqlError("no such table"), EXIT.bug],
    ["a file that is gone", coded("ENOENT"), EXIT.bug],
    ["something thrown that is no error", undefined, EXIT.bug],
  ])("%s", (_what, error, code) => {
    expect(exitCodeOf(error)).toBe(code);
  });
});

describe("a place in a source", () => {
  it("names file, line, column, row and field, as far as they are known", () => {
    expect(describePlace({ file: "a b.json", row: 17, field: "question", line: 4, column: 2 })).toBe(
      'a b.json, line 4, column 2, row 17, field "question"',
    );
    expect(describePlace({ file: "x" })).toBe("x");
  });
});
