export type { BirdInteractGroundTruth, GroundTruthLine } from "./ground-truth.js";
export { GroundTruthIndex, groundTruthSha256, readGroundTruthFile, secondPhase } from "./ground-truth.js";
export type { KnowledgeEntry } from "./knowledge.js";
export { readColumnMeanings, readKnowledge } from "./knowledge.js";
export type { HashedFile } from "./layout.js";
export { groundTruthFiles } from "./layout.js";
export { BIRD_INTERACT } from "./manifest.js";
export type { CatalogueEntry, Repair, Reviewed } from "./reviewed.js";
export { CATALOGUE_FILE, REPAIRS_FILE, readCatalogue, readReviewed } from "./reviewed.js";
export type {
  BirdInteractDatabase,
  BirdInteractItem,
  BirdInteractSource,
  JoinedTask,
  Located,
} from "./rows.js";
export { readBirdInteract } from "./rows.js";
export type { BirdInteractAmbiguity, BirdInteractTask } from "./tasks.js";
