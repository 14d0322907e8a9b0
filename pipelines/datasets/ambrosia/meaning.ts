import type { AmbrosiaConcepts } from "../../../sources/ambrosia/index.js";
import { isSignificant, nameOf, tokens } from "../../sql/index.js";
import { readAttachment } from "./attached-sql.js";
import { openModifier } from "./attachment-term.js";
import type { RunReading } from "./items.js";
import { scopeTerm } from "./scope-term.js";
import { contentKeys, inWords, keysOf, sameWord } from "./similar-words.js";
import { vagueTerm } from "./vague-term.js";

/** What a question's ambiguity is called, and what each reading decides of it. */
export interface Meaning {
  term: string;
  inRequest: boolean;
  aliases: string[];
  /** One sentence a reading, in the readings' order; undefined where annotation and SQL do not tell which it is. */
  decided: (string | undefined)[];
  /** Names of readings that the request says itself. */
  namedInRequest: string[];
}

type ConceptsOf<T extends AmbrosiaConcepts["type"]> = Extract<AmbrosiaConcepts, { type: T }>;
type Said = Pick<RunReading, "sentence" | "sql">;

const sentences = (readings: readonly Said[]): string[] => readings.map(({ sentence }) => sentence);
const words = (sql: string) => tokens(sql).filter(isSignificant);
const isWord = (token: { kind: string; text: string } | undefined, word: string): boolean =>
  token?.kind === "identifier" && token.text.toUpperCase() === word;

/** The collective reading counts its groups against all of them: `HAVING COUNT(…) = (SELECT COUNT(*) …)`. */
const isCollective = ({ sql }: Said): boolean => words(sql).some((token) => isWord(token, "HAVING"));

/** Names after FROM and JOIN. */
const tablesOf = (sql: string): string[] =>
  words(sql).flatMap((token, at, all) => {
    const named = all[at + 1];
    const opens = isWord(token, "FROM") || isWord(token, "JOIN");
    return opens && named !== undefined && named.text !== "(" ? [nameOf(named)] : [];
  });

const NAMED_BY_QUANTIFIER = ["each", "every", "all", "all the", "all of the", "per"];

function scopeMeaning(
  request: string,
  { entities }: ConceptsOf<"scope">,
  readings: readonly Said[],
): Meaning {
  const { term, inRequest } = scopeTerm(request, entities, sentences(readings));
  const noun = term.replace(
    /^(?:each|every|all|any|both)\s+(?:of\s+)?(?:(?:the|our|your|their|these|those|my)\s+)?/i,
    "",
  );
  const own = contentKeys(entities);
  const tables = readings
    .flatMap(({ sql }) => tablesOf(sql))
    .filter((name) => contentKeys(name).every((key) => own.some((word) => sameWord(key, word))));
  const nouns = [...new Set([noun, entities, ...tables].map(inWords))];
  const collective = readings.map(isCollective);
  const known = collective.filter(Boolean).length === 1;
  return {
    term,
    inRequest,
    aliases: nouns.flatMap((name) => NAMED_BY_QUANTIFIER.map((quantifier) => `${quantifier} ${name}`)),
    decided: collective.map((together) => {
      if (!known) return undefined;
      return together
        ? `By "${term}" I mean all of them together: only what is common to every one of them.`
        : `By "${term}" I mean each one separately: a list for each of them.`;
    }),
    namedInRequest: [],
  };
}

const CONDITION = ["condition", "filter", "restriction", "requirement", "criterion", "constraint"];

function attachmentMeaning(
  request: string,
  concepts: ConceptsOf<"attachment">,
  readings: readonly Said[],
): Meaning {
  const [first, second] = readings;
  const attachment = first && second && readAttachment(first.sql, second.sql);
  const { common_property, common_value } = concepts;
  const said = ` ${keysOf(request).join(" ")} ${readings.flatMap(({ sql }) => keysOf(sql)).join(" ")} `;
  const isSaid = (value: string): boolean => said.includes(` ${keysOf(value).join(" ")} `);
  if (attachment === undefined) {
    const term = isSaid(common_value) ? common_value : common_property;
    const inRequest = ` ${keysOf(request).join(" ")} `.includes(` ${keysOf(term).join(" ")} `);
    return { term, inRequest, aliases: [], decided: readings.map(() => undefined), namedInRequest: [] };
  }
  const { term, inRequest, things } = openModifier(request, attachment, concepts);
  const restricted = attachment.branches[0].restricted ? 0 : 1;
  const [narrowed, free] = [things[restricted], things[restricted === 0 ? 1 : 0]];
  const both =
    narrowed === undefined || free === undefined
      ? `"${term}" goes with both of the things that I name.`
      : `"${term}" goes with both: the ${free} and the ${narrowed}.`;
  const only =
    narrowed === undefined || free === undefined
      ? `"${term}" goes with one of the two things that I name only; of the other I want all.`
      : `"${term}" goes only with the ${narrowed}; of the ${free} I want all.`;
  // A number alone is in questions about anything ("the first 50 rows").
  const values = [...attachment.values, common_value].filter(
    (value) => /\p{L}/u.test(value) && isSaid(value),
  );
  const properties = [...new Set([common_property, ...attachment.columns].map(inWords))];
  return {
    term,
    inRequest,
    aliases: [...values, ...properties.flatMap((name) => CONDITION.map((noun) => `${name} ${noun}`))],
    decided: readings.map((_, at) => (at === attachment.joint ? both : only)),
    namedInRequest: [],
  };
}

/** The columns between SELECT and FROM, as names. */
function selected(sql: string): string[] {
  const all = words(sql);
  const from = all.findIndex((token) => isWord(token, "FROM"));
  return all.slice(1, from === -1 ? undefined : from).flatMap((token, at, list) => {
    const name = token.kind === "identifier" || token.kind === "quoted_identifier";
    return name && list[at + 1]?.text !== "." && list[at + 1]?.text !== "(" ? [nameOf(token)] : [];
  });
}

type Choice = "first" | "second" | "both";

/** Which categories a reading's own words speak of, by the words that only one of the two has. */
function choiceOf(text: string, only: readonly [string[], string[]]): Choice | undefined {
  const said = keysOf(text);
  const [first, second] = only.map((keys) => keys.some((key) => said.some((word) => sameWord(word, key))));
  if (first === true && second === true) return "both";
  return first === true ? "first" : second === true ? "second" : undefined;
}

/**
 * Which reading takes which category: from its sentence, else from what it selects; one that says neither is what the
 * others leave. Undefined where that does not give each reading a choice of its own.
 */
function choicesOf(readings: readonly Said[], categories: readonly [string, string]): Choice[] | undefined {
  const [one, two] = categories.map(contentKeys) as [string[], string[]];
  const apart = (mine: string[], others: string[]) =>
    mine.filter((key) => !others.some((other) => sameWord(key, other)));
  const only: [string[], string[]] = [apart(one, two), apart(two, one)];
  const all: Choice[] = readings.length === 2 ? ["first", "second"] : ["first", "second", "both"];
  for (const read of [
    ({ sentence }: Said) => choiceOf(sentence, only),
    ({ sql }: Said) => choiceOf(selected(sql).join(" "), only),
    (said: Said) => choiceOf(said.sentence, only) ?? choiceOf(selected(said.sql).join(" "), only),
  ]) {
    const found = readings.map(read);
    const left = all.filter((choice) => !found.includes(choice));
    const open = found.filter((choice) => choice === undefined).length;
    const filled = found.map((choice) => choice ?? (open === 1 ? left[0] : undefined));
    const whole = filled.filter((choice) => choice !== undefined);
    if (
      whole.length === all.length &&
      new Set(whole).size === all.length &&
      all.every((one) => whole.includes(one))
    )
      return whole;
  }
  return undefined;
}

function vagueMeaning(request: string, concepts: ConceptsOf<"vague">, readings: readonly Said[]): Meaning {
  const { term, inRequest } = vagueTerm(request, concepts, sentences(readings));
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
  const asked = ` ${keysOf(request).join(" ")} `;
  return {
    term,
    inRequest,
    aliases: [concepts.focus, one, two, ...apart].map(inWords),
    decided: readings.map((_, at) => {
      const choice = choices?.[at];
      return choice === undefined ? undefined : sentence[choice];
    }),
    namedInRequest: [one, two].filter((name) => asked.includes(` ${keysOf(name).join(" ")} `)),
  };
}

/** The term, its aliases and what each reading decides, by the question's type (spec 2, ambrosia, steps 3 and 4). */
export function meaningOf(request: string, concepts: AmbrosiaConcepts, readings: readonly Said[]): Meaning {
  switch (concepts.type) {
    case "scope":
      return scopeMeaning(request, concepts, readings);
    case "attachment":
      return attachmentMeaning(request, concepts, readings);
    case "vague":
      return vagueMeaning(request, concepts, readings);
  }
}
