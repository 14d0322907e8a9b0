import { existsSync } from "node:fs";
import { join } from "node:path";
import type { EpisodeRecord } from "../../schemas/types/episode.js";
import type { LoggedPrompt } from "../../schemas/types/prompt.js";
import type { TaskRecord } from "../../schemas/types/record.js";
import type { RunSettings } from "../../schemas/types/run.js";
import { UserError } from "../errors.js";
import { readLog } from "../evaluation/run/log.js";
import { bared } from "../record/bared.js";
import { sha256 } from "../record/ids.js";
import type { Suite } from "../record/suite.js";
import { oracleVariantOf } from "../record/views.js";
import { Checks } from "./checks.js";
import { error, type Finding, warning } from "./finding.js";
import { type PrivateText, privateTexts } from "./private-texts.js";
import { TextIndex } from "./text-index.js";
import { obeys, orUnreadable, readChecked } from "./unreadable.js";

/** A private text and the records that hold it; both readings of a request hold each other's SQL. */
interface Secret {
  text: string;
  owners: { record_id: string; private: PrivateText; mayBeAnswered: boolean }[];
}

/** What a run's episodes say of one prompt: whose it is, and what was answered in it. */
interface Use {
  records: Set<string>;
  answers: Set<string>;
}

/** How many records a finding names where several hold the same text. */
const OWNERS_NAMED = 3;

/** A request that some record asks in public, and the source row it was made of. */
const rowText = (text: string, { provenance }: Pick<TaskRecord, "provenance">): string =>
  `${text}\n${provenance.row_sha256}`;

/**
 * The private texts of all records. A clear request that another dataset asks in public, made of the same source row, is
 * none: EW-Bird asks BIRD's questions as they are, and AmbiTab-Bird writes them anew.
 *
 * @param told whether a model words the answers: it may say what was decided in any words, the resolution's own too
 */
async function secretsOf(suite: Suite, told: boolean): Promise<Secret[]> {
  const secrets = new Map<string, Secret>();
  const asked = new Set<string>();
  const clear = new Map<Secret["owners"][number], string>();
  for (const dataset of suite.datasets) {
    for await (const { record } of dataset.records()) {
      asked.add(rowText(bared(record.public.request), record));
      const answerable = oracleVariantOf(record.dataset) === "intent" ? "response" : "resolution";
      for (const one of privateTexts(record)) {
        const secret = secrets.get(one.text) ?? { text: one.text, owners: [] };
        secrets.set(one.text, secret);
        const owner = {
          record_id: record.record_id,
          private: one,
          mayBeAnswered:
            one.kind === "response" || one.kind === answerable || (told && one.kind === "resolution"),
        };
        secret.owners.push(owner);
        if (one.kind === "clear request") clear.set(owner, rowText(one.text, record));
      }
    }
  }
  const isPublic = (owner: Secret["owners"][number]): boolean => asked.has(clear.get(owner) ?? "");
  return [...secrets.values()]
    .map(({ text, owners }) => ({ text, owners: owners.filter((owner) => !isPublic(owner)) }))
    .filter(({ owners }) => owners.length > 0);
}

/** Which episodes each prompt belongs to. */
async function usesOf(path: string, findings: Finding[]): Promise<Map<string, Use>> {
  const uses = new Map<string, Use>();
  await orUnreadable(findings, path, async () => {
    for await (const { value, line } of readLog<EpisodeRecord>(path)) {
      const faults = obeys("episode", value, "episode", `${path}, line ${line}`);
      findings.push(...faults);
      if (faults.length > 0) continue;
      for (const hash of value.prompts) {
        const use = uses.get(hash) ?? { records: new Set(), answers: new Set() };
        uses.set(hash, use);
        use.records.add(value.record_id);
        for (const { response } of value.turns) use.answers.add(bared(response));
      }
    }
  });
  return uses;
}

/** Stands for what was cut out of a text, so that its two sides do not join to what was never written. */
const CUT = "\u0000";

/**
 * The private texts in a prompt that nobody was entitled to put there. Frozen answers that an episode with this prompt
 * was given are cut out first: they may hold the resolution or the clear request in their own words.
 */
function unentitled(
  prompt: LoggedPrompt,
  use: Use | undefined,
  secrets: readonly Secret[],
  index: TextIndex,
): Secret[] {
  const secretsIn = (text: string): Secret[] => [...index.find(text)].map((at) => secrets[at]!);
  const text = bared(prompt.text);
  const found = secretsIn(text);
  if (prompt.role !== "clarifications") return found;
  const frozen = found.filter(({ owners }) => owners.some(({ mayBeAnswered }) => mayBeAnswered));
  const given = frozen.filter(({ text: answer }) => {
    // The prompt of an episode that a kill cut short: its answers are not recorded until it is run again.
    return use === undefined || [...use.answers].some((said) => said.includes(answer));
  });
  if (given.length === 0) return found;
  const longestFirst = given.map((one) => one.text).sort((a, b) => b.length - a.length);
  return secretsIn(longestFirst.reduce((rest, answer) => rest.replaceAll(answer, CUT), text));
}

/** Whether a model's own answer holds the text, which it was told to keep to itself. */
const wasTold = ({ text }: Secret, { role }: LoggedPrompt, use: Use | undefined): boolean =>
  role === "clarifications" && use !== undefined && [...use.answers].some((said) => said.includes(text));

/** The finding about one text in one prompt. */
function leak(prompt: LoggedPrompt, secret: Secret, use: Use | undefined, told: boolean): Finding {
  const { sha256: hash, role } = prompt;
  const { owners } = secret;
  // Those whose episodes had the prompt come first: they are where to look.
  const hadIt = (owner: { record_id: string }): number => Number(use?.records.has(owner.record_id) ?? false);
  const named = owners
    .toSorted((a, b) => hadIt(b) - hadIt(a))
    .slice(0, OWNERS_NAMED)
    .map(({ record_id, private: { zone, kind } }) => `the ${kind} of ${record_id} (${zone} zone)`);
  const more = owners.length > named.length ? ` and ${owners.length - named.length} more` : "";
  const what = `${named.join(", ")}${more}`;
  const place = `prompts.jsonl, ${hash}`;
  if (told && wasTold(secret, prompt, use))
    return warning("oracle_told", place, `the oracle's model said ${what} in an answer`);
  return error("prompt_leak", place, `a ${role} prompt holds ${what}`);
}

/**
 * Scans the prompts of a run for private text of a release's records: everything that asker or solver was given. A
 * response may stand in a clarifications prompt only if an episode with that prompt was answered with it (a resolution
 * likewise, under a knowledge oracle, whose answers they are). Where a model words the answers, what it said of the rest is
 * a finding about the oracle (`oracle_told`), which the leakage diagnostics measure, and no fault of the harness. Streams the
 * prompts; terms and aliases are not looked for.
 *
 * @param suite a whole release
 * @param run the run's folder
 * @returns findings; the audit fails if one is an error
 * @throws UserError when the folder is no run
 */
export async function auditPrompts(
  suite: Suite,
  run: string,
  checks: Checks = new Checks(),
): Promise<Finding[]> {
  const paths = { episodes: join(run, "episodes.jsonl"), prompts: join(run, "prompts.jsonl") };
  if (!existsSync(join(run, "run.json")) || !existsSync(paths.prompts) || !existsSync(paths.episodes)) {
    throw new UserError(`${run} is no run`, { remedy: "name a folder that ambitab eval has written" });
  }
  const findings: Finding[] = [];
  const settings = await readChecked<RunSettings>(findings, run, "run.json", "run");
  if (settings !== undefined && settings.suite.hash !== suite.hash) {
    const message = `was made on ${settings.suite.kind} ${settings.suite.name}, not on this release: other records' texts are not looked for`;
    findings.push(warning("run_suite", run, message));
  }
  const told = settings?.oracle === "llm";
  const secrets = await secretsOf(suite, told);
  const index = new TextIndex(secrets.map(({ text }) => text));
  const uses = await usesOf(paths.episodes, findings);
  const missing = new Set(uses.keys());
  await orUnreadable(findings, paths.prompts, async () => {
    for await (const { value, line } of readLog<LoggedPrompt>(paths.prompts)) {
      const place = `${paths.prompts}, line ${line}`;
      const faults = obeys("prompt", value, "prompt", place);
      findings.push(...faults);
      if (faults.length > 0) continue;
      checks.add("prompts of the run looked through for private text");
      if (sha256(value.text) !== value.sha256)
        findings.push(error("prompt_changed", place, `the text's hash is not ${value.sha256}`));
      const use = uses.get(value.sha256);
      missing.delete(value.sha256);
      if (use === undefined)
        findings.push(
          warning("prompt_unclaimed", place, "belongs to no finished episode; resume the run to finish it"),
        );
      findings.push(
        ...unentitled(value, use, secrets, index).map((secret) => leak(value, secret, use, told)),
      );
    }
    for (const hash of missing) {
      findings.push(
        error("prompt_missing", hash, "an episode names this prompt, and the log does not hold it"),
      );
    }
  });
  return findings;
}
