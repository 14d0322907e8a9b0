import type { KnowledgeView } from "../../../pipelines/oracle/index.js";

/** A masked hint of a record: what it is about, the hint itself, and its columns, literals and content words. */
interface Hint {
  readonly term: string;
  readonly resolution: string;
  readonly concepts: readonly string[];
}

const record = (...hints: Hint[]): KnowledgeView => ({
  ambiguities: hints.map((hint) => ({ ambiguity_id: hint.term, aliases: [], counts: true, ...hint })),
});
const hint = (term: string, resolution: string, ...concepts: string[]): Hint => ({
  term,
  resolution,
  concepts,
});

/** Records in EW-Bird's style (masked hints) and, the last two, in AmbiTab-Bird's (chosen readings). All are ours. */
export const RECORDS = {
  /** What share of the late crossings in high season were made by small vessels? */
  ferries: record(
    hint("late crossings", "late crossings refers to delay_min > 15", "delay_min", "15", "late", "crossings"),
    hint("high season", "high season refers to month BETWEEN 6 AND 8", "month", "6", "8", "high", "season"),
    hint("small vessels", "small vessels refers to capacity < 120", "capacity", "120", "small", "vessels"),
    hint(
      "share",
      "share = DIVIDE(COUNT(delay_min > 15 AND capacity < 120), COUNT(delay_min > 15)) * 100",
      "delay_min",
      "15",
      "capacity",
      "120",
      "share",
    ),
  ),
  /** How many senior dogs of the shelter were rehomed in 2021? */
  shelter: record(
    hint(
      "senior dogs",
      "senior dogs refers to species = 'dog' AND SUBTRACT(2021, birth_year) >= 8",
      "species",
      "dog",
      "birth_year",
      "8",
      "senior",
      "dogs",
    ),
    hint("rehomed", "outcome = 'AD' means the animal was rehomed", "outcome", "AD", "animal", "rehomed"),
  ),
  /** Which married members sing higher than the single members of the choir? */
  choir: record(
    hint("married members", "married members refers to marital = 'M'", "marital", "M", "married", "members"),
    hint("single members", "single members refers to marital = 'S'", "marital", "S", "single", "members"),
    hint(
      "sing higher",
      "sing higher refers to voice IN ('soprano', 'alto')",
      "voice",
      "soprano",
      "alto",
      "sing",
      "higher",
    ),
  ),
  /** What is the eligible free rate of the greenhouse schools? */
  greenhouse: record(
    hint(
      "eligible free rate",
      "eligible free rate = `Free Meal Count (K-12)` / `Enrollment (K-12)`",
      "Free Meal Count (K-12)",
      "Enrollment (K-12)",
      "eligible",
      "free",
      "rate",
    ),
  ),
  /** How many stars in the catalogue are carbon rich? */
  observatory: record(
    hint("carbon rich", "carbon rich refers to spec_class LIKE 'C%'", "spec_class", "C%", "carbon", "rich"),
  ),
  /** Give the full address of every bakery with abnormal sugar readings. */
  bakery: record(
    hint(
      "full address",
      "full address should include street, town and post code",
      "street",
      "town",
      "post code",
      "full",
      "address",
    ),
    hint(
      "abnormal sugar readings",
      "abnormal sugar readings refers to SUG <= 3.5 OR SUG >= 6.0",
      "SUG",
      "3.5",
      "6.0",
      "abnormal",
      "sugar",
      "readings",
    ),
  ),
  /** Which riders did best on the long stages? (AmbiTab-Bird's style: readings that were chosen) */
  riders: record(
    hint(
      "did best",
      "the riders with the least total time, ties included",
      "stage_results",
      "total_time",
      "least",
      "time",
      "ties",
    ),
    hint(
      "long stages",
      "stages of 200 km or more, the bound included",
      "stages",
      "distance_km",
      "200",
      "long",
      "inclusive",
    ),
  ),
  /** What is the average of the recent donations per donor? (AmbiTab-Bird's style) */
  donations: record(
    hint(
      "recent donations",
      "donations whose pledge date, not payment date, is in 2020 or later",
      "donations",
      "pledged_on",
      "paid_on",
      "2020",
      "recent",
    ),
    hint(
      "average",
      "the mean over donors of each donor's sum, not over donations",
      "donor",
      "sum",
      "mean",
      "amount",
      "average",
    ),
  ),
} satisfies Record<string, KnowledgeView>;
