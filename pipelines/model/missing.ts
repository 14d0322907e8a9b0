import { ModelError } from "../errors.js";
import type { ModelRequest, ModelRole } from "./types.js";

/** Answers that a replay needed and did not have. `answers` counts distinct requests. */
export interface MissingAnswers {
  readonly role: ModelRole;
  readonly template: string;
  readonly model: string;
  readonly answers: number;
}

/** Notes what a replay lacks, so that it can say how much that is, and of what. */
export class MissingLog {
  readonly #keys = new Map<string, { role: ModelRole; template: string; model: string; keys: Set<string> }>();

  note({ role, template }: ModelRequest, model: string, key: string): void {
    const name = JSON.stringify([role, template, model]);
    const entry = this.#keys.get(name) ?? { role, template, model, keys: new Set() };
    entry.keys.add(key);
    this.#keys.set(name, entry);
  }

  list(): MissingAnswers[] {
    return [...this.#keys.values()].map(({ keys, ...rest }) => ({ ...rest, answers: keys.size }));
  }
}

/** A replay that lacks answers. `missing` counts what was found missing before it was thrown. */
export class MissingAnswersError extends ModelError {
  readonly missing: readonly MissingAnswers[];
  constructor(missing: readonly MissingAnswers[], held: string) {
    const count = missing.reduce((sum, { answers }) => sum + answers, 0);
    const parts = missing.map(
      ({ role, template, model, answers }) => `${answers} of the role "${role}" (${template}, ${model})`,
    );
    super(
      `${count === 1 ? "a model answer is" : `${count} model answers are`} missing: ${parts.join(", ")}`,
      {
        remedy: `--replay-only asks no model; ${held}. Put in the archive that belongs to this build (ambitab models import FILE), or leave --replay-only out`,
      },
    );
    this.missing = missing;
  }
}
