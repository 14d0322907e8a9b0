import { isKeyword, nameOf, wordsOf } from "../../sql/index.js";
import type { ConceptsOf, Meaning, Said } from "./meaning.js";
import { inWords, keysOf, sameStem, sameWord } from "./similar-words.js";
import { vagueTerm } from "./vague-term.js";

/** The columns between SELECT and FROM, as names. */
function selected(sql: string): string[] {
  const all = wordsOf(sql);
  const from = all.findIndex((token) => isKeyword(token, "FROM"));
  return all.slice(1, from === -1 ? undefined : from).flatMap((token, at, list) => {
    const name = token.kind === "identifier" || token.kind === "quoted_identifier";
    if (isKeyword(token, "DISTINCT", "AS", "ALL") || token.text.length < 3) return [];
    return name && list[at + 1]?.text !== "." && list[at + 1]?.text !== "(" ? [nameOf(token)] : [];
  });
}

type Choice = "first" | "second" | "both";
/** Distinguishing words of the two categories. */
type Apart = readonly [readonly string[], readonly string[]];

/** Which categories a reading's own words speak of. */
function choiceOf(said: readonly string[], [one, two]: Apart): Choice | undefined {
  const [first, second] = [one, two].map((keys) =>
    keys.some((key) => said.some((word) => sameWord(word, key))),
  );
  if (first === true && second === true) return "both";
  return first === true ? "first" : second === true ? "second" : undefined;
}

/** One choice a reading; undefined where they are not all different. One reading that says nothing takes what is left. */
function settled(found: readonly (Choice | undefined)[]): Choice[] | undefined {
  const all: Choice[] = found.length === 2 ? ["first", "second"] : ["first", "second", "both"];
  const left = all.filter((choice) => !found.includes(choice));
  const silent = found.filter((choice) => choice === undefined).length;
  const filled = found.flatMap((choice) => choice ?? (silent === 1 ? (left[0] ?? []) : []));
  const whole = filled.length === all.length && all.every((choice) => filled.includes(choice));
  return whole ? filled : undefined;
}

const LITTLE_WORDS = new Set("of the a an and".split(" "));

/**
 * Which reading takes which category: by its sentence, else by what it selects. Words that every reading has tell
 * nothing. Undefined where this does not give each reading a choice of its own.
 */
function choicesOf(readings: readonly Said[], categories: readonly [string, string]): Choice[] | undefined {
  const [one, two] = categories.map((name) => keysOf(name).filter((key) => !LITTLE_WORDS.has(key)));
  const spoken = readings.map(({ sentence }) => keysOf(sentence));
  const chosen = readings.map(({ sql }) => keysOf(selected(sql).join(" ")));
  const read = (said: readonly string[][]): (Choice | undefined)[] => {
    const common = (key: string): boolean => said.every((words) => words.some((word) => sameWord(word, key)));
    const apart = (mine: readonly string[] = [], others: readonly string[] = []): string[] =>
      mine.filter((key) => !others.some((other) => sameWord(key, other)) && !common(key));
    const words: Apart = [apart(one, two), apart(two, one)];
    return said.map((keys) => choiceOf(keys, words));
  };
  const [bySentence, bySql] = [read(spoken), read(chosen)];
  return (
    settled(bySentence) ?? settled(bySql) ?? settled(bySentence.map((choice, at) => choice ?? bySql[at]))
  );
}

/** Vagueness: which of two categories does the focus mean, or both? */
export function meaningOfVague(
  request: string,
  concepts: ConceptsOf<"vague">,
  readings: readonly Said[],
): Meaning {
  const { term, inRequest } = vagueTerm(
    request,
    concepts,
    readings.map(({ sentence }) => sentence),
  );
  const [one, two] = [concepts.general_category1, concepts.general_category2].map(inWords) as [
    string,
    string,
  ];
  const choices = choicesOf(readings, [one, two]);
  const sentence: Record<Choice, string> = {
    first: `By "${term}" I mean the ${one}, not the ${two}.`,
    second: `By "${term}" I mean the ${two}, not the ${one}.`,
    both: `By "${term}" I mean both the ${one} and the ${two}.`,
  };
  const [columns, others] = readings.map(({ sql }) => selected(sql)) as [string[], string[]];
  const apart = [
    ...columns.filter((name) => !others.includes(name)),
    ...others.filter((name) => !columns.includes(name)),
  ];
  // Annotations are sometimes of another database: a category that neither question nor readings speak of is no name.
  const said = [request, ...readings.flatMap(({ sentence, sql }) => [sentence, sql])].flatMap(keysOf);
  const isSaid = (name: string): boolean =>
    keysOf(name).some((key) => !LITTLE_WORDS.has(key) && said.some((word) => sameStem(word, key)));
  const asked = ` ${keysOf(request).join(" ")} `;
  return {
    term,
    inRequest,
    aliases: [concepts.focus, ...[one, two].filter(isSaid), ...apart].map(inWords),
    decided: readings.map((_, at) => {
      const choice = choices?.[at];
      return choice === undefined ? undefined : sentence[choice];
    }),
    contradicted: readings.map(() => false),
    namedInRequest: [one, two].filter((name) => asked.includes(` ${keysOf(name).join(" ")} `)),
  };
}
