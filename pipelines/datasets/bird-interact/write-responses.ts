import { askModel } from "../../engine/ask-model.js";
import { type Evidence, itemStage, keep, type StageContext } from "../../engine/stage.js";
import { responseFaults } from "./audit-response.js";
import { AUTHOR_TEMPLATE, type AuthorSetting, authorMessages } from "./author-prompt.js";
import { readAuthorReply } from "./author-reply.js";
import { annotationSha256 } from "./catalogue.js";
import { asEvidence, type Finding } from "./findings.js";
import type { AnsweredTask, RegisteredAmbiguity, Responses, VerifiedTask } from "./items.js";
import { annotatedOf, definitionText, templateResponse } from "./template-response.js";

type Written = Responses[string];

function settingOf(
  task: AnswerInput,
  ambiguity: RegisteredAmbiguity,
  done: Responses,
): { author: AuthorSetting; audit: Parameters<typeof responseFaults>[1] } {
  const { request, clear_request, columns, reference_sql, ambiguities, knowledge_base } = task;
  const entries = knowledge_base.withheld.filter(({ id }) => ambiguity.deleted_knowledge.includes(id));
  const definition = entries.map((entry) => `${entry.name}: ${definitionText(entry)}`).join("\n");
  const others = ambiguities.filter((one) => one !== ambiguity && one.counts).map(({ term }) => term);
  return {
    author: { request, clear_request, columns, reference_sql, ambiguity, definition, others },
    audit: {
      term: ambiguity.term,
      others: Object.values(done).map(({ response }) => response),
      secrets: [...reference_sql, ...(clear_request === null ? [] : [clear_request])],
    },
  };
}

/** Asks the author model, once more where its reply does not pass; what never passes waits for a person. */
async function askAuthor(
  task: AnswerInput,
  ambiguity: RegisteredAmbiguity,
  done: Responses,
  context: StageContext,
  evidence: Evidence[],
): Promise<Written | undefined> {
  const { author, audit } = settingOf(task, ambiguity, done);
  let last: string | undefined;
  let retry: { reply: string; complaint: string } | undefined;
  for (let attempt = 0; attempt < 2; attempt++) {
    const { text, evidence: call } = await askModel(context, {
      role: "response-author",
      template: AUTHOR_TEMPLATE,
      messages: authorMessages(author, retry),
    });
    // Truncated, or over the context: asking again would end the same way.
    if (text === null) {
      evidence.push({ ...call, ambiguity: ambiguity.ambiguity_id });
      break;
    }
    const reply = readAuthorReply(text);
    const faults = "fault" in reply ? [reply.fault] : responseFaults(reply.response, audit);
    evidence.push({ ...call, ambiguity: ambiguity.ambiguity_id, ...(faults.length > 0 ? { faults } : {}) });
    if (!("fault" in reply)) {
      if (faults.length === 0) return { response: reply.response, status: "audited" };
      last = reply.response;
    }
    retry = { reply: text, complaint: faults.join("; ") };
  }
  return last === undefined || last === "" ? undefined : { response: last, status: "needs_review" };
}

interface AnswerInput
  extends Pick<VerifiedTask, "instance_id" | "ambiguities" | "knowledge_base" | "catalogue" | "columns"> {
  request: string;
  clear_request: string | null;
  reference_sql: string[];
}

/** A frozen response, unless what it was written for has changed. */
function frozen(task: AnswerInput, ambiguity: RegisteredAmbiguity, findings: Finding[]): Written | undefined {
  const entry = task.catalogue.find(({ ambiguity_id }) => ambiguity_id === ambiguity.ambiguity_id);
  if (entry === undefined) return undefined;
  const now = annotationSha256(task.request, annotatedOf(ambiguity, task.knowledge_base));
  if (entry.annotation_sha256 === now) return { response: entry.response, status: entry.status };
  findings.push({
    code: "catalogue_stale",
    detail: `the frozen response for "${entry.term}" was written for another annotation and is not used`,
  });
  return undefined;
}

/**
 * Step 4: each ambiguity's response. A frozen one of the catalogue is used as it stands; else the author model writes one
 * and the mechanical audit passes it or leaves it to a person; without either, a template's.
 */
export const writeResponses = itemStage({
  name: "write-responses",
  version: "1",
  module: import.meta.url,
  parameters: ({ models }) => ({ author: models?.["response-author"] ?? null }),
  select: (task: VerifiedTask): AnswerInput => ({
    instance_id: task.instance_id,
    request: task.amb_user_query,
    clear_request: task.query,
    columns: task.columns,
    reference_sql: task.ground_truth.here ? task.ground_truth.sol_sql : [],
    ambiguities: task.ambiguities,
    knowledge_base: { open: null, withheld: task.knowledge_base.withheld },
    catalogue: task.catalogue,
  }),
  async run(task, context) {
    const responses: Responses = {};
    const evidence: Evidence[] = [];
    const findings: Finding[] = [];
    for (const ambiguity of task.ambiguities) {
      const known = frozen(task, ambiguity, findings);
      const asks =
        known === undefined && context.settings.models?.["response-author"] !== undefined && ambiguity.counts;
      const authored = asks ? await askAuthor(task, ambiguity, responses, context, evidence) : undefined;
      const written: Written = known ??
        authored ?? { response: templateResponse(ambiguity, task.knowledge_base), status: "template" };
      if (written.status === "needs_review")
        findings.push({ code: "response_needs_review", detail: `"${ambiguity.term}"` });
      responses[ambiguity.ambiguity_id] = written;
    }
    const all = [...evidence, ...(asEvidence(findings) ?? [])];
    return keep(responses, all.length > 0 ? all : undefined);
  },
  merge: (task, responses): AnsweredTask => ({ ...task, responses }),
});
