/** Local, database-disjoint slices of datasets that come without splits. */
export { chooseTestDatabases, TEST_SHARE, type WeighedDatabase } from "./choose-databases.js";
export { localSlices } from "./stage.js";
