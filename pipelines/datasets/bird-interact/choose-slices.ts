import { localSlices } from "../slices/index.js";

/** Local slices beside the whole pool (paper Table 5): toward a fifth of the records, by database, as for Ambrosia. */
export const chooseSlices = localSlices(import.meta.url, "bird-interact");
