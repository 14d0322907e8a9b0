/** A task's own tests, where its source gives them as Python over psycopg2 (spec 2, bird-interact, step 6). */
export { findInterpreter, type Interpreter } from "./interpreter.js";
export { verifyByTests } from "./verify.js";
