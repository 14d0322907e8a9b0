/**
 * Numbers as the paper prints them (arXiv 2610.10740v1), for showing beside ours: percent or percentage points, mean ±
 * sample SD over seeds or estimate[lo,hi] with a 95 % interval; a dash where the paper has one or prints nothing.
 */
import type { PaperValue } from "../document/types.js";

/** Table 8: dataset, oracle, SR without asking, with the asker, with the full asker, precision, recall. Checklist (ledger), five seeds; Bird and EW-Bird pool train and dev. */
const TABLE_8 = `
bird           deterministic  –         66.7±1.4  86.2±0.7  33.0±0.4  74.9±0.8
bird           qwen3-14b      26.3±0.7  68.7±0.9  88.0±0.8  32.6±0.6  72.1±0.9
bird           gemma-3-27b    –         75.3±1.0  87.8±0.4  39.5±0.3  87.7±0.7
ew-bird        deterministic  –         72.4±0.3  80.7±0.4  34.7±0.1  71.5±0.2
ew-bird        qwen3-14b      48.2±0.4  65.0±0.8  73.9±0.5  28.5±0.3  55.7±0.5
ew-bird        gemma-3-27b    –         65.4±0.6  70.2±0.1  38.7±0.2  74.7±0.4
bird-interact  deterministic  –         9.7±0.3   10.1±0.7  32.1±0.2  57.7±0.5
bird-interact  qwen3-14b      7.9±0.5   8.9±0.6   10.0±0.4  29.8±0.3  53.7±0.6
bird-interact  gemma-3-27b    –         9.3±0.3   10.2±0.8  35.7±0.2  64.4±0.3
ambrosia       deterministic  –         35.0±0.2  42.1±0.2  24.0±0.2  71.7±0.5
ambrosia       qwen3-14b      22.2±0.3  41.2±0.4  42.1±0.5  25.9±0.2  77.3±0.6
ambrosia       gemma-3-27b    –         46.2±0.6  43.3±0.5  32.0±0.1  95.4±0.3
ambiqt         deterministic  –         56.3±0.7  73.7±0.3  19.5±0.2  58.3±0.5
ambiqt         qwen3-14b      33.5±0.8  57.7±0.4  74.6±0.3  20.4±0.1  60.7±0.3
ambiqt         gemma-3-27b    –         69.3±0.7  73.0±0.6  31.1±0.0  93.0±0.3
taco           deterministic  –         72.8±1.5  83.2±1.0  29.1±0.4  85.1±0.8
taco           qwen3-14b      23.9±1.4  74.1±0.8  83.7±1.1  28.9±0.3  84.2±1.3
taco           gemma-3-27b    –         79.9±2.4  83.3±0.7  33.4±0.3  97.6±0.7
`;

/** Table 10: dataset, prompt, SR, precision, recall under the deterministic oracle. `mean`: the six datasets equally. */
const TABLE_10 = `
bird           direct            56.6±0.4  75.1±0.9  62.4±0.9
bird           checklist-chat    66.1±0.8  65.5±0.5  73.2±0.8
bird           checklist-ledger  66.7±1.4  33.0±0.4  74.9±0.8
ew-bird        direct            68.3±0.6  75.6±0.1  60.2±0.3
ew-bird        checklist-chat    71.3±0.2  69.2±0.5  69.7±0.3
ew-bird        checklist-ledger  72.4±0.3  34.7±0.1  71.5±0.2
bird-interact  direct            9.6±0.9   59.2±0.9  41.5±0.3
bird-interact  checklist-chat    9.2±0.4   52.8±0.5  53.2±0.4
bird-interact  checklist-ledger  9.7±0.3   32.1±0.2  57.7±0.5
ambrosia       direct            34.4±0.5  57.5±0.4  67.3±0.2
ambrosia       checklist-chat    36.2±0.6  44.4±0.1  73.1±0.3
ambrosia       checklist-ledger  35.0±0.2  24.0±0.2  71.7±0.5
ambiqt         direct            55.9±0.5  47.8±0.6  53.4±0.6
ambiqt         checklist-chat    57.1±0.9  43.1±0.4  60.4±0.5
ambiqt         checklist-ledger  56.3±0.7  19.5±0.2  58.3±0.5
taco           direct            72.5±1.2  80.4±1.6  82.7±1.5
taco           checklist-chat    73.6±1.3  69.1±0.3  84.7±1.2
taco           checklist-ledger  72.8±1.5  29.1±0.4  85.1±0.8
mean           direct            49.5      65.9      61.3
mean           checklist-chat    52.3      57.4      69.1
mean           checklist-ledger  52.2      28.7      69.9
`;

/** Tables 2 and 13: dataset, policy, SR, precision, recall under the deterministic oracle; Bird and EW-Bird dev. */
const TABLE_13 = `
bird           untrained              59.5±1.4  31.0±0.2  67.7±0.8
ew-bird        untrained              69.0±0.8  33.6±0.5  69.8±1.1
bird-interact  untrained              9.7±0.3   32.1±0.2  57.7±0.5
ambrosia       untrained              35.0±0.2  24.0±0.2  71.7±0.5
ambiqt         untrained              56.3±0.7  19.5±0.2  58.3±0.5
taco           untrained              72.8±1.5  29.1±0.4  85.1±0.8
mean           untrained              50.4±0.4  28.2±0.1  68.4±0.3
bird           question-f1            71.9±0.5  37.0±0.5  83.4±1.1
ew-bird        question-f1            72.2±1.0  38.0±0.3  79.3±0.6
bird-interact  question-f1            9.7±0.3   36.4±0.4  65.1±0.7
ambrosia       question-f1            37.3±0.2  27.3±0.1  81.8±0.2
ambiqt         question-f1            59.4±0.3  21.7±0.1  65.0±0.3
taco           question-f1            77.0±1.4  30.7±0.3  89.8±0.8
mean           question-f1            54.6±0.2  31.8±0.2  77.4±0.3
bird           outcome-deterministic  62.7±1.2  33.4±0.4  72.9±0.5
ew-bird        outcome-deterministic  71.1±1.6  34.6±0.3  72.0±0.7
bird-interact  outcome-deterministic  9.8±0.1   33.0±0.7  59.2±1.4
ambrosia       outcome-deterministic  35.5±0.7  24.6±0.1  73.7±0.4
ambiqt         outcome-deterministic  56.8±0.2  19.8±0.2  59.3±0.6
taco           outcome-deterministic  74.3±1.9  29.7±0.5  87.0±1.5
mean           outcome-deterministic  51.7±0.4  29.2±0.2  70.7±0.3
bird           outcome-llm            64.3±1.2  32.2±0.7  71.3±1.7
ew-bird        outcome-llm            71.4±1.6  35.8±0.5  74.7±0.5
bird-interact  outcome-llm            9.7±0.6   33.1±0.4  59.4±0.6
ambrosia       outcome-llm            35.9±0.6  24.5±0.1  73.5±0.2
ambiqt         outcome-llm            56.8±0.5  19.7±0.1  59.2±0.3
taco           outcome-llm            73.4±0.8  29.8±0.5  87.3±1.5
mean           outcome-llm            51.9±0.6  29.2±0.2  70.9±0.5
`;

/** Tables 14 and 16: dataset, oracle, policy, ΔJ_resp, ΔRec_spec^Q, ΔJ_full, ΔRec_none. Three seeds; Bird and EW-Bird dev, 534 Ambrosia records. */
const TABLE_14_16 = `
bird           qwen3-14b      untrained    3.94±1.36   0.00±0.00   2.36±4.09   7.84±0.97
ew-bird        qwen3-14b      untrained    3.36±0.22   0.22±0.00   2.77±2.15   0.82±0.26
bird-interact  qwen3-14b      untrained    -0.44±0.67  0.14±0.05   -0.11±0.95  1.88±0.10
ambrosia       qwen3-14b      untrained    4.00±1.68   7.24±0.57   2.93±0.94   54.87±0.56
ambiqt         qwen3-14b      untrained    1.61±0.47   9.85±0.29   -0.31±0.23  0.35±0.10
taco           qwen3-14b      untrained    6.95±1.93   0.71±0.56   1.07±1.07   20.50±1.11
bird           gemma-3-27b    untrained    5.77±0.91   0.84±0.42   3.15±2.36   74.09±0.24
ew-bird        gemma-3-27b    untrained    -4.48±1.78  1.10±0.24   3.59±0.45   60.99±0.47
bird-interact  gemma-3-27b    untrained    0.33±0.00   11.04±0.28  0.50±0.00   42.69±0.21
ambrosia       gemma-3-27b    untrained    8.24±2.76   53.25±0.47  3.37±0.82   100.00±0.00
ambiqt         gemma-3-27b    untrained    2.94±0.65   70.94±0.44  0.37±0.19   100.00±0.00
taco           gemma-3-27b    untrained    0.71±0.62   49.47±1.75  0.36±1.63   97.33±0.00
bird           deterministic  untrained    0.00        3.50±0.24   0.00        0.00
ew-bird        deterministic  untrained    0.00        2.91±0.29   0.00        0.00
bird-interact  deterministic  untrained    0.00        2.13±0.24   0.00        0.00
ambrosia       deterministic  untrained    0.00        0.50±0.29   0.00        0.00
ambiqt         deterministic  untrained    0.00        13.09±0.32  0.00        0.00
taco           deterministic  untrained    0.00        0.98±0.62   0.00        0.00
bird           deterministic  question-f1  0.00        4.76±0.24   –           –
ew-bird        deterministic  question-f1  0.00        4.11±0.23   –           –
ambrosia       deterministic  question-f1  0.00        0.94±0.00   –           –
ambiqt         deterministic  question-f1  0.00        16.80±0.15  –           –
taco           deterministic  question-f1  0.00        0.98±0.31   –           –
bird           deterministic  outcome-llm  0.00        3.64±0.24   –           –
ew-bird        deterministic  outcome-llm  0.00        3.20±0.43   –           –
ambrosia       deterministic  outcome-llm  0.00        0.62±0.11   –           –
ambiqt         deterministic  outcome-llm  0.00        12.54±0.21  –           –
taco           deterministic  outcome-llm  0.00        0.62±0.31   –           –
bird           qwen3-14b      question-f1  3.41±3.28   0.14±0.24   –           –
ew-bird        qwen3-14b      question-f1  1.94±3.19   0.22±0.00   –           –
ambrosia       qwen3-14b      question-f1  2.87±0.84   7.68±0.32   –           –
ambiqt         qwen3-14b      question-f1  0.79±0.82   9.66±0.54   –           –
taco           qwen3-14b      question-f1  4.99±1.11   1.52±0.15   –           –
bird           qwen3-14b      outcome-llm  7.35±4.48   0.00±0.00   –           –
ew-bird        qwen3-14b      outcome-llm  3.66±0.72   0.22±0.00   –           –
ambrosia       qwen3-14b      outcome-llm  5.06±0.75   7.55±0.47   –           –
ambiqt         qwen3-14b      outcome-llm  1.66±1.06   10.84±0.53  –           –
taco           qwen3-14b      outcome-llm  5.70±2.16   1.34±0.27   –           –
bird           gemma-3-27b    question-f1  6.30±1.36   0.14±0.24   –           –
ew-bird        gemma-3-27b    question-f1  -2.69±1.25  1.18±0.16   –           –
ambrosia       gemma-3-27b    question-f1  7.93±1.33   58.99±1.23  –           –
ambiqt         gemma-3-27b    question-f1  -0.27±1.04  81.98±0.93  –           –
taco           gemma-3-27b    question-f1  -1.25±3.79  50.45±2.31  –           –
bird           gemma-3-27b    outcome-llm  7.61±1.64   1.96±0.87   –           –
ew-bird        gemma-3-27b    outcome-llm  0.07±1.96   1.25±0.25   –           –
ambrosia       gemma-3-27b    outcome-llm  8.18±1.68   53.56±0.86  –           –
ambiqt         gemma-3-27b    outcome-llm  2.38±0.80   73.11±0.57  –           –
taco           gemma-3-27b    outcome-llm  -1.60±4.24  46.52±1.67  –           –
`;

/** Table 15: dataset, oracle, then the change of ΔJ_resp, ΔJ_full and ΔRec_none, reference SQL shown minus hidden. */
const TABLE_15 = `
bird      qwen3-14b    3.15[-0.26,6.56]   0.52[-2.36,3.67]   0.28[0.00,1.12]
ew-bird   qwen3-14b    3.96[1.42,6.35]    2.84[0.22,5.61]    0.00[-0.22,0.22]
ambrosia  qwen3-14b    2.87[0.88,4.95]    4.99[3.00,7.02]    0.25[-0.96,1.52]
ambiqt    qwen3-14b    0.81[-0.08,1.72]   1.24[0.43,1.96]    -0.14[-0.29,-0.02]
taco      qwen3-14b    -0.18[-3.03,2.50]  -0.36[-2.50,1.96]  -2.50[-5.35,0.00]
bird      gemma-3-27b  7.09[2.36,12.07]   1.31[-1.84,4.72]   -0.14[-1.40,1.12]
ew-bird   gemma-3-27b  3.59[0.52,6.73]    4.86[2.47,7.17]    0.36[-0.39,1.12]
ambrosia  gemma-3-27b  7.05[4.96,9.24]    10.36[7.91,12.89]  0.00[0.00,0.00]
ambiqt    gemma-3-27b  1.82[0.83,2.83]    1.34[0.54,2.17]    0.00[0.00,0.00]
taco      gemma-3-27b  1.07[-1.43,3.57]   -0.18[-1.78,1.43]  0.00[0.00,0.00]
`;

/** Table 17: dataset, oracle, then ΔJ_resp and ΔRec_spec^Q, outcome reward (LLM oracle) minus question-F1 reward. */
const TABLE_17 = `
bird      qwen3-14b    3.94[-2.36,10.24]  -0.14[-0.60,0.00]
ew-bird   qwen3-14b    1.72[-1.87,5.23]   0.00[0.00,0.00]
ambrosia  qwen3-14b    2.18[-0.86,5.08]   -0.12[-0.72,-0.07]
ambiqt    qwen3-14b    0.87[-0.48,2.19]   1.18[-2.05,3.51]
taco      qwen3-14b    0.71[-2.85,4.10]   -0.18[-1.85,0.22]
bird      gemma-3-27b  1.31[-4.99,6.82]   1.82[0.44,3.81]
ew-bird   gemma-3-27b  2.77[-0.82,6.21]   0.07[-0.52,0.25]
ambrosia  gemma-3-27b  0.25[-2.75,3.17]   -5.43[-6.42,5.07]
ambiqt    gemma-3-27b  2.65[1.32,4.03]    -8.87[-12.49,-7.27]
taco      gemma-3-27b  -0.36[-3.92,3.21]  -3.92[-16.67,-0.88]
`;

const CELL = /^(-?[\d.]+)(?:±([\d.]+))?(?:\[(-?[\d.]+),(-?[\d.]+)\])?$/;

/** A printed cell; undefined for a dash. */
function cellOf(text: string): PaperValue | undefined {
  const [, mean, sd, lo, hi] = CELL.exec(text) ?? [];
  if (mean === undefined) return undefined;
  const decimals = mean.split(".")[1]?.length ?? 0;
  return {
    mean: Number(mean),
    decimals,
    ...(sd === undefined ? {} : { sd: Number(sd) }),
    ...(lo === undefined || hi === undefined ? {} : { interval: { lo: Number(lo), hi: Number(hi) } }),
  };
}

/** Rows by their key columns, joined with a space; values by column name. */
export type PublishedTable = ReadonlyMap<string, Readonly<Record<string, PaperValue | undefined>>>;

function tableOf(text: string, keys: number, columns: readonly string[]): PublishedTable {
  const rows = text
    .trim()
    .split("\n")
    .map((line) => line.split(/\s{2,}/));
  return new Map(
    rows.map((cells) => [
      cells.slice(0, keys).join(" "),
      Object.fromEntries(columns.map((column, at) => [column, cellOf(cells[keys + at] ?? "")])),
    ]),
  );
}

export const PUBLISHED = {
  /** Keys: dataset, oracle. */
  inference: tableOf(TABLE_8, 2, ["none", "asker", "full", "precision", "recall"]),
  /** Keys: dataset, asker. */
  prompts: tableOf(TABLE_10, 2, ["sr", "precision", "recall"]),
  /** Keys: dataset, policy. */
  policies: tableOf(TABLE_13, 2, ["sr", "precision", "recall"]),
  /** Keys: dataset, oracle, policy. */
  leakage: tableOf(TABLE_14_16, 3, ["dj_resp", "drec_spec_q", "dj_full", "drec_none"]),
  /** Keys: dataset, oracle. */
  sqlAccess: tableOf(TABLE_15, 2, ["dj_resp", "dj_full", "drec_none"]),
  /** Keys: dataset, oracle. */
  policyDifference: tableOf(TABLE_17, 2, ["dj_resp", "drec_spec_q"]),
} as const;
