export { loadPolyglot } from "./from-polyglot.js";
export { type Parsed, parseStatement } from "./parse.js";
export {
  type Clause,
  nameInScope,
  overlaps,
  type Path,
  type Place,
  placesOf,
  queryAt,
  replaceAt,
  type Scope,
  scopesOf,
  sourceOf,
} from "./places.js";
export * from "./statement.js";
export { writeExpression, writeQuery } from "./write.js";
