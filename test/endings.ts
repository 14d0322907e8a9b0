/**
 * What shared test modules tidy up. The files of a run share their workers' modules (`vitest.config.ts`), so a hook at
 * the top level of a shared module would belong to the first file alone that imports it: such a module leaves word here
 * once, and `test/setup.ts`, which runs anew for every file, keeps it.
 */
type Ending = () => void | Promise<void>;

const ofTests: Ending[] = [];
const ofFiles: Ending[] = [];

/** Runs after every test of every file from now on. */
export const afterEachTest = (ending: Ending): number => ofTests.push(ending);
/** Runs after every file's last test from now on. */
export const afterEachFile = (ending: Ending): number => ofFiles.push(ending);

async function all(endings: readonly Ending[]): Promise<void> {
  // The last to come is the first to go: it may stand on what came before it.
  for (const ending of endings.toReversed()) await ending();
}

export const endTest = (): Promise<void> => all(ofTests);
export const endFile = (): Promise<void> => all(ofFiles);
