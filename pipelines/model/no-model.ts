import { ModelError } from "../errors.js";
import type { ModelClient } from "./types.js";

/** Stands where a run was given no models: the first call says what to configure. */
export const NO_MODEL: ModelClient = {
  ask: ({ role }) =>
    Promise.reject(
      new ModelError(`this needs a model for the role "${role}", and none is configured`, {
        remedy: "give --models FILE, set OPENAI_BASE_URL, or replay a response archive with --replay-only",
      }),
    ),
};
