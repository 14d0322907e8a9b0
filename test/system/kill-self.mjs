// Loaded before the command (`node --import`): counts what it does to files and kills it with -9 just before the operation
// that AMBITAB_TEST_KILL names ({"at": n, "of": pattern}); writes the count to AMBITAB_TEST_COUNT when it ends by itself.
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";

const { at = Number.POSITIVE_INFINITY, of = "" } = JSON.parse(process.env.AMBITAB_TEST_KILL ?? "{}");
const pattern = new RegExp(of);
const OPERATIONS = [
  ..."appendFileSync chmodSync copyFileSync fsyncSync linkSync mkdirSync openSync".split(" "),
  ..."renameSync rmSync unlinkSync writeFileSync writeSync".split(" "),
];

const { writeFileSync } = fs;
let count = 0;
for (const name of OPERATIONS) {
  const own = fs[name];
  fs[name] = (...args) => {
    const said = [name, ...args.slice(0, 2).filter((one) => typeof one === "string")].join(" ");
    if (pattern.test(said)) count += 1;
    if (count >= at) process.kill(process.pid, "SIGKILL");
    return own(...args);
  };
}
syncBuiltinESMExports();
process.on("exit", () => {
  const { AMBITAB_TEST_COUNT } = process.env;
  if (AMBITAB_TEST_COUNT !== undefined) writeFileSync(AMBITAB_TEST_COUNT, String(count));
});
