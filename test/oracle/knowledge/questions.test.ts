import { describe, expect, it } from "vitest";
import { knowledgeMatcher } from "../../../pipelines/oracle/index.js";
import { RECORDS } from "./records.js";

interface Asked {
  /** Question → the term of the ambiguity that a person would answer with. */
  right: Record<string, string>;
  /** Questions about other things of the same schema, or about the answer's shape: nobody would answer with a hint. */
  refused: string[];
}

/**
 * What people ask about records with masked knowledge. The answers were decided by reading the questions, before the
 * matcher was written; where the two disagreed later, the matcher was mended, or the question stands in `MISSED`.
 */
const TABLE: Record<keyof typeof RECORDS, Asked> = {
  ferries: {
    right: {
      "Could you clarify what exactly you mean by late crossings?": "late crossings",
      "What counts as a 'late crossing'?": "late crossings",
      "How many minutes of delay make a crossing late?": "late crossings",
      "Which threshold on delay_min should I use to call a crossing late?": "late crossings",
      "Which months belong to the high season?": "high season",
      "Is the high season defined by month, and if so which ones?": "high season",
      "From which capacity on is a vessel no longer small?": "small vessels",
      "How is a small vessel defined: by its capacity or by its length?": "small vessels",
      "For “small vessels”, what is the limit?": "small vessels",
      "How should the share be calculated?": "share",
      "What does share mean here, a percentage of what?": "share",
      "Is the SHARE taken over all crossings or over the late ones only?": "share",
      "When you say small vessel, do you mean one with few cabins?": "small vessels",
    },
    refused: [
      "Could you clarify what you want?",
      "Please elaborate.",
      "Should the result be sorted?",
      "Which tables should I join?",
      "Which captain was on duty?",
      "What is the ticket price for a car?",
      "How many decimals should I give?",
      "Do you want the names of the harbours?",
      "Are cancelled trips part of the data?",
      "What do you mean by route?",
    ],
  },
  shelter: {
    right: {
      "What age makes a dog a senior dog?": "senior dogs",
      "From what birth_year on does a dog count as senior?": "senior dogs",
      "Which outcome code stands for an animal that was rehomed?": "rehomed",
      "How is rehomed stored in the outcome column?": "rehomed",
      "Does 'rehomed' include animals that were returned to their owner?": "rehomed",
      "What do you mean by SENIOR DOG?": "senior dogs",
      "Which value of outcome is meant?": "rehomed",
    },
    refused: [
      "Which shelter is meant?",
      "Should I count cats as well?",
      "Do you want a list of the vets?",
      "Should I return the count or the list?",
      "Is 2021 the calendar year or the fiscal year?",
      "What does weight refer to?",
      "Do you need any other information?",
    ],
  },
  choir: {
    right: {
      "How are married members marked?": "married members",
      "Which marital code stands for single members?": "single members",
      "Which value of marital means married?": "married members",
      "What does it mean to sing higher?": "sing higher",
      "Which voice counts as singing higher, soprano or alto?": "sing higher",
      "Is 'sing higher' about the voice or about the row on the stage?": "sing higher",
    },
    refused: [
      "Which choir do you mean?",
      "Should I sort by the members' last names?",
      "What is the conductor's name?",
      "How many rehearsals were there?",
      "Should duplicates be removed?",
    ],
  },
  greenhouse: {
    right: {
      "How do I compute the eligible free rate?": "eligible free rate",
      "Is the rate the free meal count divided by the enrollment?": "eligible free rate",
      "Which columns define the eligible rate: free meal count over enrollment?": "eligible free rate",
      "What formula gives the free rate of those eligible?": "eligible free rate",
    },
    refused: [
      "Which greenhouse should I look at?",
      "Should I include closed schools?",
      "What do you mean by school?",
      "Should I show the name of the district?",
      "Which exchange rate should I use?",
      "Is the schedule free on Mondays?",
    ],
  },
  observatory: {
    right: {
      "How do I recognise that a star is rich in carbon?": "carbon rich",
      "Which spec_class is carbon rich?": "carbon rich",
      "Which values of spec_class do you mean?": "carbon rich",
      "What do you mean by carbon-rich?": "carbon rich",
    },
    refused: [
      "Which catalogue should I use?",
      "Should binaries be counted once or twice?",
      "How bright should the stars be?",
      "Should I show the star's name and its magnitude?",
      "What is a rich field of stars?",
      "Does the class of the telescope matter?",
    ],
  },
  bakery: {
    right: {
      "What belongs to a full address?": "full address",
      "Does the address consist of street, town and post code?": "full address",
      "Which SUG values are abnormal?": "abnormal sugar readings",
      "What range makes a reading of sugar abnormal?": "abnormal sugar readings",
      "Is anything above 6.0 abnormal for SUG?": "abnormal sugar readings",
      "What are the limits for abnormal sugar readings?": "abnormal sugar readings",
    },
    refused: [
      "Which bakery do you mean?",
      "What is the oven's temperature?",
      "Should I sort the bakeries by name?",
      "Is the e-mail of the owner needed?",
      "Which town are you interested in?",
      "Should the readings be rounded?",
    ],
  },
  riders: {
    right: {
      "What does 'did best' mean: least time or most wins?": "did best",
      "Is best measured by total_time?": "did best",
      "How long must a stage be to be one of the long stages?": "long stages",
      "From which distance_km on is a stage long?": "long stages",
      "By long stages, do you mean 200 km or more?": "long stages",
      "Should ties for the least time be included among those who did best?": "did best",
    },
    refused: [
      "Which team do the riders belong to?",
      "What year of the race is it?",
      "Should I list the riders' countries?",
      "Do you want the stage names?",
      "What kind of bicycle is meant?",
    ],
  },
  donations: {
    right: {
      "What counts as recent donations?": "recent donations",
      "Should recent be judged by pledged_on or by paid_on?": "recent donations",
      "From which date on is a donation recent?": "recent donations",
      "How is the average to be computed, per donor or per donation?": "average",
      "By average, do you mean the mean of each donor's sum?": "average",
      "What formula should I use for the average?": "average",
      "Is the average over donors or over donations?": "average",
      "How do I calculate the average?": "average",
    },
    refused: [
      "Which currency should I use?",
      "Do you want the donors' addresses?",
      "Should anonymous gifts be left out?",
      "What campaign are you interested in?",
      "How many donors should I list?",
      "Should I round the average to two decimals?",
      "Should the average come first in the output?",
    ],
  },
};

describe.each(Object.entries(TABLE))("%s", (name, { right, refused }) => {
  const view = RECORDS[name as keyof typeof RECORDS];
  it.each(Object.entries(right))("%s → %s", (question, term) => {
    const { credits, action } = knowledgeMatcher.match(question, [], view);
    expect(credits).toEqual([term]);
    expect(action).toEqual({ kind: "labeled", term });
  });
  it.each(refused)("nothing: %s", (question) => {
    const { credits, action } = knowledgeMatcher.match(question, [], view);
    expect(credits).toEqual([]);
    expect(action).toEqual({ kind: "unanswerable" });
  });
});
