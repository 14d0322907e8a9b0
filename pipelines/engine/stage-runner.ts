import { sha256 } from "../record/ids.js";
import { UnansweredCall } from "./ask-model.js";
import type { FileRef, FileStore } from "./files.js";
import { codeFingerprint } from "./fingerprint.js";
import { applyOutcome, type Passage } from "./passage.js";
import type { BuildSettings, Item, ItemStage, Outcome, SetStage, Stage, StageContext } from "./stage.js";
import type { StageStore, StoredOutcome } from "./store.js";

/** A stage with everything that decides its outcomes resolved: its key prefix is their hash. */
export interface ResolvedStage {
  readonly index: number;
  readonly stage: Stage<unknown, unknown>;
  readonly parameters: Record<string, unknown>;
  readonly code: string;
  readonly prefix: string;
}

/** Resolves a pipeline's stages for one build. */
export function resolveStages(
  stages: readonly Stage<unknown, unknown>[],
  settings: BuildSettings,
): ResolvedStage[] {
  return stages.map((stage, index) => {
    const parameters = stage.parameters(settings);
    const code = codeFingerprint(stage.module);
    return {
      index,
      stage,
      parameters,
      code,
      prefix: sha256(JSON.stringify([stage.name, stage.version, parameters, code])),
    };
  });
}

/** Records the files that one run of a stage takes into the store, so that a stored outcome can be checked whole. */
function recordingFiles(files: FileStore, made: FileRef[]): FileStore {
  return new Proxy(files, {
    get(target, property) {
      if (property === "adopt") {
        return async (scratch: string, known?: FileRef) => {
          const file = await target.adopt(scratch, known);
          made.push(file);
          return file;
        };
      }
      if (property === "takeCopy") {
        return async (path: string) => {
          const file = await target.takeCopy(path);
          made.push(file);
          return file;
        };
      }
      const value: unknown = Reflect.get(target, property, target);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}

/** Runs stages, from the store where it can. Items that share an input share one run, also while it is under way. */
export class StageRunner {
  readonly #store: StageStore;
  readonly #context: StageContext;
  readonly #underway = new Map<string, Promise<StoredOutcome>>();
  /** How many outcomes came from the store and how many were computed. */
  readonly counts = { stored: 0, computed: 0 };
  /** Model calls that stages needed and that came to nothing; their rows are undecided. */
  readonly unanswered: UnansweredCall[] = [];

  constructor(store: StageStore, context: StageContext) {
    this.#store = store;
    this.#context = context;
  }

  async #once(
    key: string,
    stage: string,
    compute: (context: StageContext) => Promise<Outcome<unknown>>,
  ): Promise<StoredOutcome> {
    const running = this.#underway.get(key);
    if (running !== undefined) return running;
    const work = (async () => {
      const known = this.#store.get(key);
      if (known !== undefined) {
        const whole = await Promise.all(known.files.map((file) => this.#context.files.has(file)));
        if (whole.every(Boolean)) {
          this.counts.stored += 1;
          return known;
        }
      }
      const files: FileRef[] = [];
      const outcome = await compute({ ...this.#context, files: recordingFiles(this.#context.files, files) });
      this.counts.computed += 1;
      return this.#store.put(key, stage, { outcome, files });
    })();
    this.#underway.set(key, work);
    try {
      return await work;
    } finally {
      this.#underway.delete(key);
    }
  }

  /** Takes every item of a row through one per-item stage. */
  async advance(passage: Passage, resolved: ResolvedStage): Promise<void> {
    const stage = resolved.stage as ItemStage<unknown, unknown>;
    const next: Item<unknown>[] = [];
    for (const item of passage.items) {
      const part = stage.select(item);
      const input = sha256(resolved.prefix + JSON.stringify(part));
      const stored = await this.#once(input, stage.name, (context) => stage.run(part, context)).catch(
        (error: unknown) => {
          if (!(error instanceof UnansweredCall)) throw error;
          this.unanswered.push(error);
          return undefined;
        },
      );
      if (stored === undefined) continue;
      const { outcome } = stored;
      passage.traces.push({ stage: resolved.index, input, outcome: sha256(JSON.stringify(outcome)) });
      next.push(...applyOutcome(passage, item, stage, outcome, (made) => stage.merge(item, made)));
    }
    passage.items = next;
  }

  /** Lets a whole-set stage decide over the projections of all items; the answer is stored like any outcome. */
  async decide(
    resolved: ResolvedStage,
    projections: { key: string; origin: Item<unknown>["origin"]; part: unknown }[],
  ): Promise<{ decisions: Map<string, Outcome<unknown>>; input: string }> {
    const stage = resolved.stage as SetStage<unknown, unknown>;
    const input = sha256(resolved.prefix + JSON.stringify(projections));
    const stored = await this.#once(input, stage.name, async (context) => {
      const decided = await stage.decide(projections, context);
      return { kept: [[...decided]] };
    });
    const kept = "kept" in stored.outcome ? stored.outcome.kept[0] : [];
    return { decisions: new Map(kept as [string, Outcome<unknown>][]), input };
  }
}
