import type { DigestExecution } from "../execution.js";
import { type DatabaseState, differences, type TaskSession } from "../postgres/index.js";
import { TASK_LIMITS } from "./task.js";

/** What a Management task has left, told so that two ways of doing the same can be the same. */
export interface ChangedState {
  state: DatabaseState;
  /** View (as the state names it) → digest of its columns' names and rows; missing where it cannot be read. */
  views: Record<string, string>;
  /** Routine → its definition without comments, white space and case. */
  routines: Record<string, string>;
}

const ROUTINES = `SELECT 'routine ' || p.oid::pg_catalog.regprocedure::text, pg_catalog.pg_get_function_result(p.oid), p.prosrc, l.lanname::text
  FROM pg_catalog.pg_proc p JOIN pg_catalog.pg_namespace n ON n.oid = p.pronamespace JOIN pg_catalog.pg_language l ON l.oid = p.prolang
  WHERE n.nspname !~ '^pg_' AND n.nspname <> 'information_schema' AND p.prokind <> 'a'`;

const plainSource = (source: string): string =>
  source
    .replace(/\/\*[\s\S]*?\*\//g, " ")
    .replace(/--.*$/gm, " ")
    .replace(/\s+/g, "")
    .toLowerCase();

const viewDigest = (view: DigestExecution): string | undefined =>
  view.outcome === "rows" ? `${JSON.stringify(view.columns)} ${view.digest.unordered}` : undefined;

/** Reads it after the task's own statements, in the task's session. */
export async function readChangedState(session: TaskSession): Promise<ChangedState> {
  const state = await session.state(TASK_LIMITS);
  // The state's names are written for this search path.
  await session.exec("SET search_path = pg_catalog", { limits: TASK_LIMITS });
  const views: Record<string, string> = {};
  for (const key of Object.keys(state.definitions).filter((name) => name.startsWith("view "))) {
    const name = key.slice("view ".length);
    const digest = viewDigest(
      await session.exec(`SELECT * FROM ${name}`, { limits: TASK_LIMITS, want: "digest" }),
    );
    if (digest !== undefined) views[key] = digest;
  }
  const routines: Record<string, string> = {};
  const listed = await session.exec(ROUTINES, { limits: TASK_LIMITS });
  if (listed.outcome === "rows") {
    for (const [name, result, source, language] of listed.rows) {
      routines[name?.slice(1) ?? ""] = `${language} ${result} ${plainSource(source?.slice(1) ?? "")}`;
    }
  }
  return { state, views, routines };
}

const isComment = (name: string): boolean => name.startsWith("comment ");

/**
 * What differs between what two answers have left, by name; empty where nothing does. A view is what it shows, not how it
 * is written; of a routine white space, case and comments do not matter; comments on things never do.
 */
export function changedDifferences(a: ChangedState, b: ChangedState): string[] {
  const same = (name: string, left: Record<string, string>, right: Record<string, string>): boolean =>
    left[name] !== undefined && left[name] === right[name];
  return differences(a.state, b.state).filter(
    (name) => !isComment(name) && !same(name, a.views, b.views) && !same(name, a.routines, b.routines),
  );
}
