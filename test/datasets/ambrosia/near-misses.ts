/**
 * Questions about a request of the sample, by the part of its key that finds it: `other` asks about something else of the
 * same schema or about the answer's shape and must get no credit; `own` asks about what is ambiguous, in several ways.
 */
export interface Questions {
  other: readonly string[];
  own: readonly string[];
}

export const QUESTIONS: Readonly<Record<string, Questions>> = {
  /** Which tools are kept on each allotment? */
  "scope.Gardening.scope_allotments_tools.0": {
    other: [
      "Should I show the material of the tools as well?",
      "Do you want the tenant's name beside the plot?",
      "Which tools are you interested in: spades, rakes or all kinds?",
      "Should the tools be sorted by name?",
      "Do you want an allotment's plot name or its number?",
      "How many allotments are there?",
      "Is the allotment of Ines Duarte to be left out?",
      "Should I list allotment names in alphabetical order?",
      "Does a watering can count as a tool?",
      "Should duplicates be removed?",
      "Would you like to see allotments without any tools too?",
      "Should I join the tools table with the allotment tools table?",
    ],
    own: [
      "What do you mean by each allotment?",
      "Do you want the tools that all allotments have in common, or a list for every allotment?",
      'Does "each allotment" mean one list per allotment?',
      "Should I list the tools per allotment?",
      "What do you mean by 'allotment gardens'?",
      "Should only tools common to all the allotments be shown?",
    ],
  },
  /** List the kinds of song for every village choir. */
  "scope.Music_Clubs.scope_choirs_songs.1": {
    other: [
      "Do you want song titles or only kinds?",
      "Should carols be counted among the songs?",
      "Do you want the year in which a choir was founded?",
      "Is a canon a kind of song here?",
      "Should the choir's name be in the output?",
      "Do you need the kinds sorted?",
      "How many village choirs do you expect?",
      "Should I include choirs founded after 2000?",
      "Are songs without a kind to be left out?",
      "Should each kind be listed once only?",
    ],
    own: [
      "Do you mean kinds shared by all village choirs?",
      "Is it one list for every village choir or what they share?",
      "Could you explain what 'every village choir' covers?",
      "Do you want this per village choir?",
    ],
  },
  /** Show oil paintings and bronze statues given by the family Okafor. */
  "attachment.Museums.attachment_1tab_val_exhibits.0": {
    other: [
      "Do you want the titles of the exhibits only?",
      "Should I include the rooms of the oil paintings?",
      "Are bronze statues a kind of exhibit?",
      "Should oil paintings and bronze statues be in one list?",
      "Do you want household items as well?",
      "Should the donor's name be shown in the output?",
      "Which room are you interested in?",
      "Do you want the statues sorted by title?",
      "Should paintings given by the City Council be counted?",
      "How many oil paintings should I return?",
      "Do you need the year of the donation?",
    ],
    own: [
      "What exactly is 'given by the family Okafor' about?",
      "Should only the bronze statues be given by the family Okafor?",
      "Does the donor condition hold for the oil paintings too?",
      "Must both come from the Family Okafor?",
      "Does the donor filter apply to both?",
    ],
  },
  /** Show Welsh-speaking paramedics and drivers. */
  "attachment.Fire_Service.attachment_2tab_ref_crews.0": {
    other: [
      "Do you want names only, or languages as well?",
      "Which language should the output be in?",
      "Should paramedics and drivers be told apart in the result?",
      "Do volunteers count as drivers?",
      "Should the drivers be sorted by name?",
      "Is Portuguese of interest as well?",
      "Do you want a driver's id?",
      "Should I list people who are both, once or twice?",
      "Do you need all the languages that a paramedic speaks?",
      "How many crew members should I show?",
      "Do you want the English name of the language?",
    ],
    own: [
      "Is it only the paramedics who have to be Welsh-speaking?",
      "Does the Welsh-speaking part go with the drivers too?",
      "What do you mean by 'Welsh'?",
      "Does the language requirement hold for both?",
      "Should the language filter apply to the drivers?",
    ],
  },
  /** When does the Quayside branch open? */
  "vague.Libraries.vague_2cols_opening.0": {
    other: [
      "Which branch do you mean by Quayside?",
      "Do you want the number of shelves too?",
      "How many volumes does it have?",
      "Should I show the branch's id?",
      "Is Hill Top of interest as well?",
      "Do you want the result as one row?",
      "Which library system is this?",
      "When do you need the answer?",
      "Should the name of the branch be repeated?",
      "Where is the Quayside branch?",
      "Do you want branches that have closed?",
    ],
    own: [
      "By when, do you mean the day or the time of day?",
      "Do you want the weekday or the hour?",
      "Is the opening time what you are after?",
      "Do you mean on which weekday it opens?",
      'What does "When" refer to?',
    ],
  },
  /** List the plays of more than one act with their creaters. */
  "vague.Theatre_Club.vague_2tabs_creator.1": {
    other: [
      "Do you want plays of exactly one act too?",
      "Should the number of acts be shown?",
      "Should plays be sorted by title?",
      "Is Late Ferry a play or an opera?",
      "How many acts at least?",
      "Should I add the ids of the plays?",
      "Do you want actors in the list?",
      "Should the title come first?",
      "Are plays without an act count left out?",
      "Do you want each play once?",
    ],
    own: [
      "Who counts as a creator: the playwright or the director?",
      "Do you mean the director?",
      "Is the playwright meant?",
      "What do you mean by creaters?",
      "Are playwrights and directors both wanted?",
    ],
  },
};
