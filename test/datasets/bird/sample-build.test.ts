/** AmbiTab-Bird's sample through the real pipeline, with a model server that answers as the sample's made-up answers do. */
import { describe, expect, it } from "vitest";
import { readHints, readHintsIfAny } from "../../../pipelines/datasets/bird-rows/index.js";
import { agentView } from "../../../pipelines/record/views.js";
import { compareExecutions, openSqliteSandbox } from "../../../pipelines/sql/index.js";
import type { TaskRecord } from "../../../schemas/types/record.js";
import { type Built, built, messagesOf, type Reply, sampleReply } from "./building.js";

const reply: Reply = await sampleReply();
const byId = (records: readonly TaskRecord[], id: string): TaskRecord => {
  const found = records.find(({ record_id }) => record_id === `bird/${id}#1`);
  if (found === undefined) throw new Error(`there is no record ${id}`);
  return found;
};
const reasonsOf = ({ dropped }: Built): Record<string, string> =>
  Object.fromEntries(dropped.map(({ key, reason }) => [key.replace("bird/", ""), reason]));

/** The statement that a person would write who is told just this, by hand. */
const BY_HAND: Record<string, { meant: string; others: string[] }> = {
  "dev/2": {
    meant:
      "SELECT AVG(s.status = 'X') FROM sailings AS s JOIN port AS arrival ON arrival.port_id = s.to_port WHERE arrival.port_name = 'Grønvik'",
    others: [
      "SELECT AVG(s.status = 'X') FROM sailings AS s JOIN port AS origin ON origin.port_id = s.from_port WHERE origin.port_name = 'Grønvik'",
      "SELECT 100.0 * SUM(s.status = 'X') / COUNT(*) FROM sailings AS s JOIN port AS arrival ON arrival.port_id = s.to_port WHERE arrival.port_name = 'Grønvik'",
    ],
  },
  "dev/3": {
    meant:
      "SELECT DISTINCT p.port_name FROM port AS p WHERE p.rgn = 'OC' AND p.port_id IN (SELECT from_port FROM sailings WHERE status = 'L' AND substr(\"Departure Time\", 1, 7) = '2021-04')",
    others: [
      "SELECT DISTINCT p.port_name FROM port AS p WHERE p.rgn = 'OC' AND p.port_id IN (SELECT to_port FROM sailings WHERE status = 'L' AND substr(\"Departure Time\", 1, 7) = '2021-04')",
    ],
  },
  "dev/7": {
    meant:
      "SELECT SUM(delay_min) * 1.0 / COUNT(delay_min) FROM sailings WHERE from_port IN (SELECT port_id FROM port WHERE rgn = 'NI')",
    others: [
      "SELECT SUM(delay_min) * 1.0 / COUNT(delay_min) FROM sailings WHERE to_port IN (SELECT port_id FROM port WHERE rgn = 'NI')",
    ],
  },
  "dev/12": {
    meant: "SELECT common_name FROM variety WHERE zone >= 6 AND heirloom AND germ_rate < 0.75",
    others: ["SELECT common_name FROM variety WHERE zone >= 7 AND heirloom AND germ_rate < 0.75"],
  },
  "train/2": {
    meant: "SELECT SUM(refunded) * 100.0 / COUNT(*) FROM sale",
    others: ["SELECT SUM(refunded) * 1.0 / COUNT(*) FROM sale"],
  },
};

describe("AmbiTab-Bird's sample", () => {
  it("comes to records, controls and drops with their reasons", async () => {
    const made = await built(({ role, ...request }) => reply(role, messagesOf({ role, ...request })));
    const { records, funnel } = made;
    expect(records.map(({ record_id, oracle }) => [record_id, oracle.ambiguities.length])).toEqual([
      ["bird/dev/2#1", 2],
      ["bird/dev/3#1", 1],
      ["bird/dev/6#1", 0],
      ["bird/dev/7#1", 1],
      ["bird/dev/12#1", 1],
      ["bird/train/2#1", 1],
      ["bird/train/4#1", 0],
    ]);
    expect(reasonsOf(made)).toMatchObject({
      "dev/0": "control_not_answered",
      "dev/4": "control_not_chosen",
      "dev/8": "gold_error",
      "dev/9": "empty_result",
      "dev/10": "source_missing",
      "train/5": "ambiguity_not_needed",
    });
    expect(funnel.records).toBe(7);

    // What was said in the request again is open no longer.
    expect(byId(records, "dev/7").public.request).toBe(
      "How long is the mean delay, punctual sailings included, of the northern isles ferries?",
    );
    // Nothing that was decided or withheld stands where an agent reads.
    for (const record of records) {
      const seen = JSON.stringify(agentView(record, "task", [])).toLowerCase();
      const { oracle, verifier } = record;
      const secrets = [
        ...oracle.ambiguities.flatMap(({ resolution, response }) => [resolution, response]),
        ...verifier.reference_sql,
        ...(verifier.alternative_sql ?? []),
        ...(oracle.ambiguities.length > 0 && (oracle.withheld_evidence ?? "").length > 20
          ? [oracle.withheld_evidence ?? ""]
          : []),
      ];
      for (const secret of secrets) expect(seen).not.toContain(secret.toLowerCase());
    }
    await answersByHand(made);
  });

  /** The reference answers the request with all resolutions and nothing else; each other reading answers another one. */
  async function answersByHand({ records, folder }: Built): Promise<void> {
    const sandbox = openSqliteSandbox();
    try {
      for (const [id, { meant, others }] of Object.entries(BY_HAND)) {
        const record = byId(records, id);
        const run = (sql: string) =>
          sandbox.run({ database: `${folder}/databases/${record.public.database.path}`, sql });
        const [reference] = record.verifier.reference_sql;
        const gold = await run(reference ?? "");
        const verdict = async (sql: string, against = gold) =>
          compareExecutions("bird_ex", false, await run(sql), against).verdict;
        expect([id, await verdict(meant)]).toEqual([id, "match"]);
        const readings = record.verifier.alternative_sql ?? [];
        expect(readings).toHaveLength(others.length);
        for (const [at, other] of others.entries()) {
          expect([id, at, await verdict(other)]).toEqual([id, at, "mismatch"]);
          expect([id, at, await verdict(other, await run(readings[at] ?? ""))]).toEqual([id, at, "match"]);
        }
      }
    } finally {
      await sandbox.close();
    }
  }

  it("shows each way to fail in the funnel", async () => {
    const question = (text: string, words: string): boolean => text.includes(words);
    const made = await built((request) => {
      const messages = messagesOf(request);
      const { role, prompt } = request;
      const answer = reply(role, messages);
      // Decides its point, both times.
      if (role === "rewriter" && question(prompt, "outer coast"))
        return answer.replaceAll("had late sailings", "had from_port late sailings");
      // Gets it right at once.
      if (role === "probe" && question(prompt, "Grønvik sailings")) {
        return JSON.stringify({ output: BY_HAND["dev/2"]?.meant });
      }
      // Gets it wrong although all is said.
      if (role === "probe" && question(prompt, "hardy heirlooms")) {
        return JSON.stringify({ output: "SELECT common_name FROM variety" });
      }
      if (role === "probe" && question(prompt, "Request:\nWhich evening")) return "I would rather not say.";
      if (role === "judge" && question(prompt, "What part")) return "Ask the first, I think.";
      return answer;
    });
    expect(reasonsOf(made)).toMatchObject({
      "dev/2": "not_ambiguous_for_probe",
      "dev/3": "rewrite_invalid",
      "dev/12": "not_resolvable_for_probe",
      "train/2": "judge_no_answer",
      "train/5": "probe_no_answer",
    });
    expect(made.dropped.find(({ key }) => key === "bird/dev/3")?.detail).toMatch(
      /holds the name "from_port"/,
    );
    // One record with an ambiguity is left of dev and none of train: so is one control.
    expect(made.records.map(({ split, oracle }) => `${split} ${oracle.ambiguities.length}`).sort()).toEqual([
      "dev 0",
      "dev 1",
    ]);
  });

  it("shares no stored outcome of its hints with EW-Bird, which drops rows without any", () => {
    const settings = { seed: 1, limit: null, strict_readings: false, keep_going: false };
    const [dropping, keeping] = [readHints(), readHintsIfAny()];
    expect([keeping.name, keeping.version]).toEqual([dropping.name, dropping.version]);
    expect(keeping.parameters(settings)).not.toEqual(dropping.parameters(settings));
  });
});
