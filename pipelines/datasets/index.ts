import type { Pipeline } from "../engine/pipeline.js";
import { ambiqt } from "./ambiqt/pipeline.js";
import { ambrosia } from "./ambrosia/pipeline.js";
import { bird } from "./bird/pipeline.js";
import { birdInteract } from "./bird-interact/pipeline.js";
import { ewBird } from "./ew-bird/pipeline.js";
import { taco } from "./taco/pipeline.js";

/** Every dataset that this version can build, in the order in which a build of all of them runs. */
export const PIPELINES: readonly Pipeline[] = [ambiqt, ambrosia, taco, ewBird, bird, birdInteract];
