import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { foldText, normalKey, tokenise } from "../../pipelines/oracle/index.js";

const words = (text: string): string[] => tokenise(text).map((token) => token.text);

describe("tokenise", () => {
  it.each([
    ["song_name songName song-name", ["song", "name", "song", "name", "song", "name"]],
    ["HTMLParser, IDs and e-mail", ["html", "parser", "ids", "and", "e", "mail"]],
    ["the singer's name; James's singers' names", ["the", "singer", "name", "james", "singers", "names"]],
    ["Don't list O'Brien", ["dont", "list", "obrien"]],
    ["the 2nd line1 of 1,000.5 or 3.14", ["the", "2nd", "line", "1", "of", "1000.5", "or", "3.14"]],
    ["U.S. airports, e.g. JFK", ["us", "airports", "eg", "jfk"]],
    ["T1.Song_Name", ["t", "1", "song", "name"]],
    ["ＡＢＣ ﬁeld ½ ㎏", ["abc", "field", "1", "2", "kg"]],
    ["Straße ΟΔΟΣ", ["strasse", "οδοσ"]],
    ["年齢とは", ["年", "齢", "と", "は"]],
    ["アルバム名", ["アルバム", "名"]],
    ["naïve cafe\u0301", ["naïve", "café"]],
    ["?! … — ()", []],
  ])("%s", (text, expected) => {
    expect(words(text)).toEqual(expected);
  });

  it("keeps each token's place in the original text", () => {
    const text = "  Ｔhe ﬁeld's  song_Name, ㎏ & ﾊﾞ ";
    expect(tokenise(text).map(({ start, end }) => text.slice(start, end))).toEqual([
      "Ｔhe",
      "ﬁeld's",
      "song",
      "Name",
      "㎏",
      "ﾊﾞ",
    ]);
  });

  it("tells pauses and sentence ends from dots and hyphens inside names", () => {
    const pauses = tokenise("a.b c-d, e (f) g - h. I\nj/k").map((token) => token.pause);
    expect(pauses).toEqual(["", "", "", "", ",", ",", ",", ",", ".", ".", ","].slice(1));
  });

  it("gives ordered places inside the text, whatever the text", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", maxLength: 60 }), (text) => {
        let last = 0;
        for (const { start, end, text: word, key } of tokenise(text)) {
          expect(start).toBeGreaterThanOrEqual(0);
          expect(end).toBeGreaterThan(start);
          expect(end).toBeLessThanOrEqual(text.length);
          expect(end).toBeGreaterThanOrEqual(last);
          expect(word).not.toBe("");
          expect(key).not.toBe("");
          last = end;
        }
      }),
    );
  });
});

describe("plural endings", () => {
  it.each([
    ["names", "name"],
    ["cities", "city"],
    ["boxes", "box"],
    ["addresses", "address"],
    ["statuses", "status"],
    ["movies", "movie"],
    ["sizes", "size"],
    ["houses", "house"],
    ["heroes", "hero"],
    ["matches", "match"],
    ["children", "child"],
    ["IDs", "id"],
    ["record companies", "Record_Company"],
    ["full names", "fullname"],
  ])("%s is the plural of %s", (plural, singular) => {
    expect(normalKey(plural)).toBe(normalKey(singular));
  });

  it.each([
    ["address", "addres"],
    ["status", "statu"],
    ["this", "thi"],
    ["bus", "bu"],
    ["gas", "ga"],
    ["news", "new"],
    ["line 12", "line 1 2"],
    ["3.5", "35"],
    ["age", "average"],
  ])("%s is not %s", (one, other) => {
    expect(normalKey(one)).not.toBe(normalKey(other));
  });
});

describe("foldText", () => {
  it("ignores case, composition and white space, and nothing else", () => {
    expect(foldText("  Café\u00A0 NAME ")).toBe(foldText("cafe\u0301 name"));
    expect(foldText("C++")).not.toBe(foldText("C"));
  });

  it("does not depend on what stands around the text", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", maxLength: 20 }), (text) => {
        const solid = (folded: string): string => folded.replaceAll(" ", "");
        expect(solid(foldText(`by ${text}?`))).toBe(`by${solid(foldText(text))}?`);
      }),
    );
  });
});
