/** What a report says, before anybody decides how it looks: renderers make text, Markdown, HTML and JSON of it. */

export interface Interval {
  readonly lo: number;
  readonly hi: number;
}

/** What a number is: a share (fractions of 1, shown in percent), a difference of shares (shown in points, with a sign), or a plain number. */
export type Unit = "percent" | "points" | "number";

/** A number of the paper's, as printed there: percent or points already. */
export interface PaperValue {
  readonly mean: number;
  readonly sd?: number | null;
  readonly interval?: Interval;
  readonly decimals: number;
}

/** A measured number with what it rests on. `mean` null: not defined, or not run. */
export interface ValueCell {
  readonly kind: "value";
  readonly unit: Unit;
  readonly mean: number | null;
  readonly sd?: number | null;
  readonly interval?: Interval | null;
  /** The denominator: how many episodes, pairs or records define the value. */
  readonly n?: number;
  readonly decimals?: number;
  readonly paper?: PaperValue;
  /** A short mark such as `*`, explained in the table's notes. */
  readonly mark?: string;
  readonly strong?: boolean;
}

export type Cell = { readonly kind: "text"; readonly text: string } | ValueCell;

export interface Column {
  readonly label: string;
  readonly unit?: string;
  readonly align?: "left" | "right";
}

export interface Table {
  readonly id: string;
  readonly title: string;
  /** What the table is, its units, what ± and brackets mean: a reader needs nothing else. */
  readonly caption: string;
  readonly columns: readonly Column[];
  /** How many leading columns name a row; they are repeated where a wide table is broken. */
  readonly keys: number;
  readonly rows: readonly (readonly Cell[])[];
  readonly notes: readonly string[];
}

/** A picture: a Vega-Lite specification with its data in it. */
export interface Figure {
  readonly id: string;
  readonly title: string;
  readonly caption: string;
  readonly spec: object;
}

/** A record with its dialogue, for reading. */
export interface Transcript {
  readonly title: string;
  readonly facts: readonly string[];
  readonly request?: string;
  readonly turns: readonly {
    readonly question: string;
    readonly response: string;
    readonly credit: string;
  }[];
  readonly sql: string | null;
  readonly verdict: string;
}

export interface Section {
  readonly heading: string;
  readonly paragraphs: readonly string[];
  readonly tables: readonly Table[];
  readonly figures: readonly Figure[];
  readonly transcripts: readonly Transcript[];
}

export interface Report {
  readonly title: string;
  /** A solver or an oracle reads what only the verifier may: said above everything else. */
  readonly synthetic: boolean;
  readonly facts: readonly string[];
  readonly sections: readonly Section[];
}

export const textCell = (text: string): Cell => ({ kind: "text", text });

export const section = (heading: string, over: Partial<Section> = {}): Section => ({
  heading,
  paragraphs: [],
  tables: [],
  figures: [],
  transcripts: [],
  ...over,
});
