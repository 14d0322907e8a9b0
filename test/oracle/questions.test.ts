import { describe, expect, it } from "vitest";
import { intentMatcher } from "../../pipelines/oracle/index.js";
import { RECORDS } from "./records.js";

/** Questions that a person would ask about the ambiguity, and near misses about other things of the same schema. */
const TABLE: Record<keyof typeof RECORDS, { credited: string[]; refused: string[] }> = {
  singerAge: {
    credited: [
      "Could you clarify what exactly you mean by age?",
      "What do you mean by 'age'?",
      "Should I use years_old or birthdate?",
      "Do you want the singers' ages in years?",
      "For sorting from oldest to youngest, is the birthdate what counts?",
      "Which column holds the AGE of a singer: yearsOld or birthdate?",
    ],
    refused: [
      "What is the average attendance of the concerts?",
      "Should I list each singer only once?",
      "How many rows should the result have?",
      "Do you want the country name or the country code?",
      "Which stadium's capacity do you need?",
      "Should the output be sorted in ascending order?",
    ],
  },
  stadiumName: {
    credited: [
      "Could you clarify what exactly you mean by names?",
      "What do you mean by name?",
      'Is "name" the title or something else?',
      "Do you mean the title?",
      "Does the name refer to the official one?",
      "Which name would you like to see?",
      "By names, do you mean what people call them?",
      "What kind of name are you after?",
      "Should I return the name of the stadium or its appellation?",
      "How is the stadium's name written?",
      "Could you define “names” for me?",
      "The word name is ambiguous to me, can you help?",
      "Which of the names do you want?",
      "By name I assume you mean what is on the sign?",
      "How should name be understood?",
      "Could you be more specific about the name?",
      "What exactly is the name?",
    ],
    refused: [
      "What do you mean by song name?",
      "Which song name should I show?",
      "Should I sort by name?",
      "Do you want the name of the singer?",
      "What do you mean by the name of the concert?",
      "Should I include the song title as well?",
      "Should I name the columns in the output?",
      "Do you need the concert name and the theme?",
      "By concert name, do you mean the theme?",
      "When sorting by name, do you want Z first?",
      "Should duplicates in the list of names be removed?",
      "Which of the song names do you want?",
      "Should name be the first column?",
      "What are the names of the songs?",
      "Is the name of the singer the only thing you need?",
      "Could you clarify what you want?",
      "Please elaborate.",
    ],
  },
  schoolerName: {
    credited: [
      "Is it the full name or only the given name?",
      "what exactly does Name mean in your request?",
      "Do you want fullName?",
      "Should I take the name of each highschooler?",
      "What is the meaning of name here?",
      "Which column should I use for the name?",
    ],
    refused: [
      "Which grade are you interested in?",
      "Do you want the names of the friends' teachers?",
      "Should the name column come first?",
      "How many names should I list?",
      "Should names be in upper case?",
    ],
  },
  petType: {
    credited: [
      "Could you clarify what exactly you mean by type?",
      "What type of pet do you mean?",
      "Is the pet's type stored as a word?",
      "What does type mean: the species or the breed?",
      "Should I look at `kind`?",
    ],
    refused: [
      "What type of output do you want?",
      "What kind of join should I use?",
      "Which type of student do you want to filter?",
      "Is the weight of the pet in kilograms?",
      "Should I group by type?",
      "What data type should the weight be?",
    ],
  },
  recordCompany: {
    credited: [
      "Could you clarify what exactly you mean by record companies?",
      "Which record company do you mean?",
      "Do you want the recording label or the audio company?",
      "Is RECORD_COMPANY the right column?",
    ],
    refused: [
      "What is the format of a record?",
      "How many records do you want?",
      "Which company hosted the performance?",
      "What year was the orchestra founded?",
    ],
  },
  citizenship: {
    credited: [
      "Could you clarify what exactly you mean by citizenship?",
      "Should citizenship be the nationality?",
      "Do you mean the singers' country of origin?",
      "Does the id come before the citizenship in the result?",
    ],
    refused: [
      "Which id should I show?",
      "Is the singer's birth year relevant?",
      "In which country was the song released?",
      "Should I count each citizen?",
    ],
  },
  typeDescription: {
    credited: [
      "What do you mean by descriptions?",
      "Should I show the type description or the category description?",
      "Is it the type description, perhaps?",
    ],
    refused: [
      "Should I show the feature type description?",
      "Do you want the description of each template?",
      "What should the room description include?",
      "Is a short description enough?",
    ],
  },
  battleDate: {
    credited: [
      "What does date refer to?",
      "Is it the date of the battle?",
      "Is 'date' the day on which the engagement began?",
      "For date, which column do you mean?",
      "How is the date defined?",
    ],
    refused: [
      "Which date format do you prefer?",
      "Should I sort by date?",
      "What is the date of the ship's loss?",
      "Is the data up to date?",
      "What do you mean by the launch date?",
      "Could you clarify the date range?",
    ],
  },
};

describe.each(Object.entries(TABLE))("%s", (record, { credited, refused }) => {
  const view = RECORDS[record as keyof typeof RECORDS];
  const own = view.ambiguities[0]?.ambiguity_id;
  it.each(credited)("credits: %s", (question) => {
    expect(intentMatcher.match(question, [], view).credits).toEqual([own]);
  });
  it.each(refused)("refuses: %s", (question) => {
    const { credits, action } = intentMatcher.match(question, [], view);
    expect(credits).toEqual([]);
    expect(action).toEqual({ kind: "unanswerable" });
  });
});
