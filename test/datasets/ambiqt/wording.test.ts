import { describe, expect, it } from "vitest";
import { aliasesOf, inWords, responseOf } from "../../../pipelines/datasets/ambiqt/wording.js";

describe("names in words", () => {
  const cases: [string, string][] = [
    ["Song_release_year", "song release year"],
    ["homeTown", "home town"],
    ["e-mail", "e mail"],
    ["home port", "home port"],
    ["Fname", "fname"],
    ["#", "#"],
    ["表", "表"],
    ["weight_kg", "weight kg"],
  ];
  for (const [name, words] of cases) it(`${name} is "${words}"`, () => expect(inWords(name)).toBe(words));
});

describe("aliases", () => {
  it("are every name in words, as written and with the table's noun, once each and never the term itself", () => {
    const aliases = aliasesOf("concert_singer", ["full_name", "stage_name", "Name"], "name");
    expect(aliases).toEqual([
      "full name",
      "full_name",
      "concert singer full name",
      "stage name",
      "stage_name",
      "concert singer stage name",
      "Name",
      "concert singer name",
    ]);
    expect(new Set(aliases).size).toBe(aliases.length);
  });
});

describe("responses", () => {
  it("name the chosen column in words, without SQL and without the other one", () => {
    const response = responseOf("concert_singer", "names", "full_name", "stage_name");
    expect(response).toBe('By "names" I mean the full name of the concert singer.');
  });

  it("tell apart alternatives that are the same in words", () => {
    const one = responseOf("t", "mail", "e-mail", "e_mail");
    const other = responseOf("t", "mail", "e_mail", "e-mail");
    expect(one).not.toBe(other);
    expect(one).toContain('"e-mail"');
  });
});
