import { askModel } from "../../engine/ask-model.js";
import { drop, type Evidence, itemStage, keep, type StageContext } from "../../engine/stage.js";
import { parseJsonReply, type Shape } from "../../model/index.js";
import type { JudgedRow, ModelInput, OpenReading, Writing, WrittenRow } from "./items.js";
import { promptSchema } from "./probe-answers.js";
import { JUDGE_TEMPLATE, type JudgedTerm, judgeMessages } from "./prompts/judge.js";
import { modelInput } from "./rewrite.js";

interface Items {
  items: { item?: unknown; ask: boolean }[];
}

const hasItems: Shape<Items> = (value): value is typeof value & Items =>
  Array.isArray(value.items) &&
  value.items.every(
    (one: unknown) =>
      typeof one === "object" && one !== null && typeof (one as { ask?: unknown }).ask === "boolean",
  );

/** Both readings of each term, in an order that a coin of the row's own decides. */
export function blindTerms(
  { ambiguities }: Writing,
  readings: readonly OpenReading[],
  coin: (at: number) => boolean,
): JudgedTerm[] {
  return ambiguities.map(({ term }, at): JudgedTerm => {
    const { reference = "", alternative = "" } = readings[at] ?? {};
    return { term, readings: coin(at) ? [reference, alternative] : [alternative, reference] };
  });
}

/** What the judge says of each ambiguity; null where its reply says nothing that can be used. */
export async function judgement(
  row: ModelInput,
  key: string,
  writing: Writing,
  readings: readonly OpenReading[],
  context: StageContext,
): Promise<{ needed: boolean[] | null; evidence: Evidence[] }> {
  const draws = context.draws("bird/judge-order", `${key}: ${writing.request}`);
  const coins = writing.ambiguities.map(() => draws.coin());
  const terms = blindTerms(writing, readings, (at) => coins[at] === true);
  const messages = judgeMessages(promptSchema(row, context), writing.request, terms);
  const reply = await askModel(context, { role: "judge", template: JUDGE_TEMPLATE, messages });
  const shown = { reference_shown_first: coins };
  const parsed = reply.text === null ? null : parseJsonReply(reply.text, hasItems);
  const items = parsed?.outcome === "parsed" ? parsed.value.items : null;
  if (items === null || items.length !== terms.length) {
    const unusable =
      parsed === null || parsed.outcome === "parsed" ? "not one entry for each term" : parsed.reason;
    return { needed: null, evidence: [{ ...reply.evidence, ...shown, unusable }] };
  }
  const needed = items.map(({ ask }) => ask);
  return { needed, evidence: [{ ...reply.evidence, ...shown, needed }] };
}

/**
 * Step 4: a judge that does not know which reading is the reference says whether a careful analyst would have to ask. A
 * row none of whose ambiguities is needed drops; one with some that are needed goes on to `put-back`.
 */
export const judgeNecessity = itemStage({
  name: "judge-necessity",
  version: "1",
  module: import.meta.url,
  parameters: ({ seed, models }) => ({ template: JUDGE_TEMPLATE, seed, model: models?.judge ?? null }),
  select: (row: WrittenRow, { key }) => ({
    ...modelInput(row),
    key,
    writing: row.writing,
    readings: row.readings,
  }),
  async run({ key, writing, readings, ...row }, context) {
    if (writing.ambiguities.length === 0) return keep<boolean[]>([]);
    const { needed, evidence } = await judgement(row, key, writing, readings, context);
    if (needed === null) return drop("judge_no_answer", "the judge's reply cannot be used", { evidence });
    if (needed.some(Boolean)) return keep(needed, evidence);
    return drop("ambiguity_not_needed", "the judge would ask about no term", { evidence });
  },
  merge: (row, needed): JudgedRow => ({ ...row, needed }),
});
