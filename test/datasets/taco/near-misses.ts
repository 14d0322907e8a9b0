/** Files of the sample with questions, near to their ambiguities and on them. Each is headed by its request. */

/** Show the facility name and visit date for the records with a certain facility type where the score is less than 80 … */
const BAKERY = "Town of Alder Falls... - 12/generated_nl_query_5";
/** Show the facility name and score for the records where the score is greater than 90. */
const SCORES = "Town of Alder Falls... - 12/generated_nl_query_0";
/** Count the records with a certain outcome. */
const OUTCOME = "Town of Alder Falls... - 12/generated_nl_query_4";
/** Show the species and height ft for the records where the "DBH_IN" is at least 24.5. */
const TREES = "Pine County Department of... - 33/generated_nl_query_0";
/** Show the stop name and the boarding minus the alighting for the records with a certain day type. */
const STOPS = "Lakeshore Transit - 7/generated_nl_query_0";

/** Questions about something else of the same request or schema: they earn nothing. */
export const NOTHING: [file: string, question: string][] = [
  [SCORES, "How many records should I return?"],
  [SCORES, "Should the records be sorted by score?"],
  [SCORES, "Which columns of the table should I show?"],
  [SCORES, "Do you want the table printed with a header?"],
  [SCORES, "Should duplicate rows be removed from the dataset?"],
  [SCORES, "What does the score measure?"],
  [SCORES, "Is the score out of 100?"],
  [SCORES, "Should a score of exactly 90 be included?"],
  [SCORES, "Do you mean the name of the facility or of its owner?"],
  [SCORES, "Should I list each facility once?"],
  [SCORES, "Which inspector visited?"],
  [BAKERY, "Should the visit date be shown with the time?"],
  [BAKERY, "Do you want the earliest date first?"],
  [BAKERY, "What kind of name do you need?"],
  [BAKERY, "Is there a limit on the number of results?"],
  [OUTCOME, "Should I count distinct facilities?"],
  [OUTCOME, "Do you want a total or a percentage?"],
  [TREES, "In which unit is the height?"],
  [TREES, "Should the species be in Latin?"],
  [TREES, "Is DBH_IN the diameter in inches?"],
  [TREES, "Do you need the location as well?"],
  [TREES, "Should heritage ones be left out?"],
  [STOPS, "Can the difference be negative?"],
  [STOPS, "Should I show the route name too?"],
  [STOPS, "What format should the output have?"],
  [STOPS, "Do you want numbers rounded?"],
];

/** Questions about what is open, as people put them. */
export const CREDITED: [file: string, question: string, ambiguity: string][] = [
  [SCORES, "Which records do you mean?", "table"],
  [SCORES, "Which table should I use?", "table"],
  [SCORES, "Which dataset do you mean?", "table"],
  [SCORES, "What do you mean by records?", "table"],
  [SCORES, "Do you mean the food inspections 2021 or the food inspections 2023?", "table"],
  [SCORES, "Should I look in food_inspections_2022?", "table"],
  [TREES, "Do you mean the park trees?", "table"],
  [BAKERY, "Which facility type do you mean?", "value"],
  [BAKERY, "What is the facility type?", "value"],
  [BAKERY, "Do you mean a bakery or a restaurant?", "value"],
  [OUTCOME, "Which outcome should I count?", "value"],
  [STOPS, "Is it Saturday or Sunday?", "value"],
  [STOPS, 'What do you mean by "a certain day type"?', "value"],
];
