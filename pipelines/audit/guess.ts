import { tailOf } from "./guess-tail.js";

/**
 * Whether anything that an agent may see, or the order of things on disk, tells the hidden reading (spec 1, the access
 * boundary): guessers that look at one feature each, and how often they are right.
 */

/** A record as a guesser sees it, and what the guess is about. Records stand in file order. */
export interface GuessableRecord {
  record_id: string;
  avt_id: string;
  database_id: string;
  /** What tells this reading from the others of its AVT: the chosen column's name, the reference SQL, … */
  choice: string;
  /** Position of what was chosen in the public schema, where the choice is a part of it. */
  schema_position?: number;
  /** Position of the reading in the source's own list. */
  source_position?: number;
  /** The reading's reference SQL and its first response, for guesses from their lengths and wording. */
  sql?: string;
  response?: string;
  /** Whether the choice holds the values that stood in the source's database, where one of them does. */
  holds_original?: boolean;
}

/**
 * How often one guesser was right. `z` is the distance from chance in standard deviations, 0 where n is 0; `p` how probable
 * a result as far from chance is for one who knows nothing, exactly also where n is small.
 */
export interface GuessRate {
  /** What is guessed from what, such as `first in file order: alphabetically first`. */
  guesser: string;
  n: number;
  right: number;
  /** Expected rate of a guess that knows nothing. */
  chance: number;
  rate: number;
  z: number;
  p: number;
}

/** Something that puts the readings of an AVT (or the alternatives of a database) into an order; undefined: no opinion. */
interface Feature {
  name: string;
  rank: (record: GuessableRecord) => number | string | undefined;
}

class Score {
  n = 0;
  right = 0;
  chance = 0;
  variance = 0;
  /** Choices → guesses that were made among so many. */
  readonly #among = new Map<number, number>();

  add(right: boolean, choices: number): void {
    const p = 1 / choices;
    this.#among.set(choices, (this.#among.get(choices) ?? 0) + 1);
    this.n += 1;
    this.right += right ? 1 : 0;
    this.chance += p;
    this.variance += p * (1 - p);
  }

  rate(guesser: string): GuessRate {
    const { n, right, chance, variance } = this;
    if (n === 0) return { guesser, n, right, chance: 0, rate: 0, z: 0, p: 1 };
    const z = variance === 0 ? 0 : (right - chance) / Math.sqrt(variance);
    return { guesser, n, right, chance: chance / n, rate: right / n, z, p: tailOf(this.#among, right, z) };
  }
}

/** The record that a feature puts first; undefined where it has no opinion or cannot decide. */
function firstBy({ rank }: Feature, records: readonly GuessableRecord[]): GuessableRecord | undefined {
  let best: { record: GuessableRecord; rank: number | string } | undefined;
  let tied = false;
  for (const record of records) {
    const own = rank(record);
    if (own === undefined) return undefined;
    if (best === undefined || own < best.rank) {
      best = { record, rank: own };
      tied = false;
    } else if (own === best.rank) tied = true;
  }
  return tied ? undefined : best?.record;
}

const NAMES = {
  alphabet: { name: "alphabetically first", rank: ({ choice }) => choice.toLowerCase() },
  length: { name: "shortest", rank: ({ choice }) => choice.length },
  schema: { name: "first in the schema", rank: ({ schema_position }) => schema_position },
  source: { name: "first in the source", rank: ({ source_position }) => source_position },
  sqlAlphabet: { name: "alphabetically first SQL", rank: ({ sql }) => sql?.toLowerCase() },
  sqlLength: { name: "shortest SQL", rank: ({ sql }) => sql?.length },
  responseLength: { name: "shortest response", rank: ({ response }) => response?.length },
  original: {
    name: "holds the original values",
    rank: ({ holds_original }) => (holds_original === undefined ? undefined : holds_original ? 0 : 1),
  },
} satisfies Record<string, Feature>;

function grouped(
  records: readonly GuessableRecord[],
  keyOf: (record: GuessableRecord) => string,
): Map<string, GuessableRecord[]> {
  const groups = new Map<string, GuessableRecord[]>();
  for (const record of records) {
    const group = groups.get(keyOf(record)) ?? [];
    groups.set(keyOf(record), [...group, record]);
  }
  return groups;
}

/** A number in [0, 1) that a name gives by itself, as a stand-in for "something about the id". */
function nameNumber(text: string): number {
  let number = 0;
  for (const character of text) number = (number * 31 + (character.codePointAt(0) ?? 0)) % 1_000_003;
  return number / 1_000_003;
}

/** Guesses which reading a record has from its id's suffix or its place in the file. One guess an AVT. */
function guessReadings(records: readonly GuessableRecord[]): GuessRate[] {
  const suffix = ({ record_id, avt_id }: GuessableRecord): string => record_id.slice(avt_id.length);
  const features = Object.values<Feature>(NAMES);
  const shown: {
    name: string;
    pick: (readings: readonly GuessableRecord[]) => GuessableRecord | undefined;
  }[] = [
    { name: "first in file order", pick: ([first]) => first },
    { name: "lowest suffix", pick: (all) => firstBy({ name: "suffix", rank: suffix }, all) },
  ];
  const scores = new Map<string, Score>();
  const score = (name: string): Score => {
    const known = scores.get(name) ?? new Score();
    scores.set(name, known);
    return known;
  };
  for (const { name } of shown) for (const feature of features) score(`${name}: ${feature.name}`);
  /** Per database, which choice stood first in its last request: does the order repeat? */
  const before = new Map<string, string>();
  for (const readings of grouped(records, ({ avt_id }) => avt_id).values()) {
    const [any] = readings;
    if (any === undefined || new Set(readings.map(({ choice }) => choice)).size !== readings.length) continue;
    if (readings.length < 2) continue;
    for (const { name, pick } of shown) {
      const picked = pick(readings);
      for (const feature of features) {
        const guess = firstBy(feature, readings);
        if (picked !== undefined && guess !== undefined)
          score(`${name}: ${feature.name}`).add(picked === guess, readings.length);
      }
    }
    const last = before.get(any.database_id);
    if (last !== undefined && readings.some(({ choice }) => choice === last)) {
      score("first in file order: as in the database's request before").add(
        any.choice === last,
        readings.length,
      );
    }
    before.set(any.database_id, any.choice);
    const byName = firstBy(NAMES.alphabet, readings);
    const half = nameNumber(any.database_id) < 0.5;
    score("first in file order: by the database's id").add((any === byName) === half, 2);
  }
  return [...scores].map(([name, one]) => one.rate(name));
}

/** Guesses which alternative of a database holds the source's values from names and positions. One guess a database. */
function guessOriginals(records: readonly GuessableRecord[]): GuessRate[] {
  const features = [NAMES.alphabet, NAMES.length, NAMES.schema, NAMES.source];
  const scores = features.map(() => new Score());
  const byId = new Score();
  for (const all of grouped(records, ({ database_id }) => database_id).values()) {
    const alternatives = [...new Map(all.map((record) => [record.choice, record])).values()];
    const truth = alternatives.filter(({ holds_original }) => holds_original === true);
    const [original] = truth;
    if (original === undefined || truth.length > 1 || alternatives.length < 2) continue;
    features.forEach((feature, index) => {
      const guess = firstBy(feature, alternatives);
      if (guess !== undefined) scores[index]?.add(guess === original, alternatives.length);
    });
    const byName = firstBy(NAMES.alphabet, alternatives);
    byId.add((byName === original) === nameNumber(original.database_id) < 0.5, 2);
  }
  const rates = features.map(({ name }, index) =>
    (scores[index] ?? new Score()).rate(`original values: ${name}`),
  );
  return [...rates, byId.rate("original values: by the database's id")];
}

/**
 * How well single-feature guessers do over a dataset: at the hidden reading of a record, and at which alternative holds
 * the original values. An honest build keeps every |z| small (two-sided binomial; 4 is once in 16,000).
 *
 * @param records all records of a dataset, in file order
 */
export function guessRates(records: readonly GuessableRecord[]): GuessRate[] {
  return [...guessReadings(records), ...guessOriginals(records)];
}
