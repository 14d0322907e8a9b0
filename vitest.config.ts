import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    globalSetup: ["test/build-first.ts"],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // Two processes on two cores; system tests start processes of their own.
    maxWorkers: 2,
  },
});
