import {
  type Prediction,
  type Predictions,
  predictionFor,
  readPredictions,
} from "../../../sources/bird/index.js";
import type { BadRow, GivenFiles, SourceStream } from "../../engine/pipeline.js";
import type { BuildSettings, Item } from "../../engine/stage.js";
import { SourceError, UserError } from "../../errors.js";
import { type BirdRow, openBirdRows } from "../bird-rows/index.js";
import type { EvidenceRow } from "./items.js";

/** What both files say to one row; an entry that names another database than the row is an error of that file. */
function answersTo(row: BirdRow, files: readonly [Predictions, Predictions]): EvidenceRow["replayed"] {
  const [without, withEvidence] = files.map((file): Prediction | null => {
    const prediction = predictionFor(file, row);
    if (prediction === undefined) return null;
    const { db_id } = prediction;
    if (db_id === null || db_id === row.db_id) return prediction;
    const place = { file: file.name, field: `${row.split}/${row.question_id}` };
    throw new SourceError(
      place,
      `expected an answer on the database ${row.db_id}, found one on ${db_id}; an id without a split means a dev question`,
    );
  });
  const sqlOf = (one: Prediction | null | undefined) => (one ? { sql: one.sql } : null);
  return { without: sqlOf(without), with: sqlOf(withEvidence) };
}

/**
 * Opens BIRD's rows for EW-Bird, each with the predictions that stand in for its probes where a build replays them.
 *
 * @throws UserError, SourceError: see `openBirdRows` and `readPredictions`
 */
export async function openEvidenceRows(
  root: string,
  settings: BuildSettings,
  _version: string,
  { predictions }: GivenFiles,
): Promise<SourceStream<EvidenceRow>> {
  const stream = await openBirdRows("ew-bird", root, settings);
  if ((predictions === undefined) !== (settings.probe === undefined)) {
    throw new UserError("a build that replays predictions needs both files", {
      remedy: "give --probe replay=WITHOUT.json,WITH.json",
    });
  }
  const files =
    predictions === undefined
      ? null
      : ([await readPredictions(predictions.without), await readPredictions(predictions.with)] as const);
  return {
    ...stream,
    async *items() {
      for await (const item of stream.items()) {
        if ("bad" in item) yield item;
        else yield withAnswers(item, files);
      }
    },
  };
}

function withAnswers(
  item: Item<BirdRow>,
  files: readonly [Predictions, Predictions] | null,
): Item<EvidenceRow> | BadRow {
  try {
    const replayed = files === null ? null : answersTo(item.value, files);
    return { ...item, value: { ...item.value, replayed } };
  } catch (error) {
    if (!(error instanceof SourceError)) throw error;
    return { bad: error, key: item.key, row: item.origin.row };
  }
}
