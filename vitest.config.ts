import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Minutes of waiting at the end are saved when the files that run whole commands, the demo above all, are begun first. */
class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const length = ({ moduleId }: TestSpecification): number =>
      moduleId.endsWith("/system/demo.test.ts") ? 2 : Number(moduleId.includes("/test/system/"));
    return (await super.sort(files)).toSorted((a, b) => length(b) - length(a));
  }
}

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    globalSetup: ["test/build-first.ts"],
    // A limit only ends what hangs: a busy machine may take five times as long as a quiet one.
    testTimeout: 240_000,
    hookTimeout: 240_000,
    // Two processes on two cores; system tests start processes of their own.
    maxWorkers: 2,
    // Half of the run would be starting a process and loading the same modules for each file. What a file leaves behind
    // is tidied by test/setup.ts; shared test modules have no hooks of their own (test/endings.ts).
    isolate: false,
    setupFiles: ["test/setup.ts"],
    sequence: { sequencer: LongFirst },
  },
});
