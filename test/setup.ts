import { afterAll, afterEach } from "vitest";
import { endFile, endTest } from "./endings.js";

const environment = { ...process.env };

afterEach(endTest);
afterAll(async () => {
  await endFile();
  // The next file finds the environment and the exit code that this one found.
  for (const name of Object.keys(process.env)) if (!(name in environment)) delete process.env[name];
  Object.assign(process.env, environment);
  process.exitCode = undefined;
});
