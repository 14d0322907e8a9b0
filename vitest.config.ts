import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    globalSetup: ["test/build-first.ts"],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // Two processes on two cores; system tests start processes of their own.
    maxWorkers: 2,
    // On a shared machine a test that kills processes at drawn instants may meet a stall; a fault of ours fails twice.
    retry: process.env.CI === undefined ? 0 : 1,
  },
});
