// The sample's questions, by folder: each is a question and its readings as [sentence, SQL]. Written as upstream's people
// write: slips of the pen, missing full stops, carriage returns in SQL, literals in double quotes.

const collective = (select, from, group) =>
  `SELECT ${select} FROM ${from} GROUP BY ${group[0]} HAVING COUNT(DISTINCT ${group[1]}) = (SELECT COUNT(*) FROM ${group[2]})`;

const TOOLS =
  "Allotment_Tools JOIN Garden_Tools ON Allotment_Tools.tool_id = Garden_Tools.id JOIN Allotment_Gardens ON Allotment_Tools.allotment_id = Allotment_Gardens.id";
const TOOL_GROUP = ["Garden_Tools.id", "Allotment_Tools.allotment_id", "Allotment_Gardens"];
const SONGS =
  "Repertoire JOIN Songs ON Repertoire.song_id = Songs.id JOIN Choirs ON Repertoire.choir_id = Choirs.id";
const SONG_GROUP = ["Songs.id", "Repertoire.choir_id", "Choirs"];

const exhibits = (select, first, second, condition) => [
  `SELECT ${select}\r\nFROM Exhibits\r\nWHERE (kind = "${first}" OR kind = "${second}") AND ${condition}`,
  `SELECT ${select}\r\nFROM Exhibits\r\nWHERE kind = "${first}" OR kind = "${second}" AND ${condition}`,
];
const crews = (first, second, language) => {
  const arm = (table, where) =>
    `SELECT ${table}.name FROM Languages JOIN ${table} ON Languages.id = ${table}.speaks_id${where}`;
  const where = ` WHERE Languages.language = "${language}"`;
  return [
    `${arm(first, where)} UNION ${arm(second, where)}`,
    `${arm(first, "")} UNION ${arm(second, where)}`,
  ];
};

export const QUESTIONS = {
  "scope/Gardening/scope_allotments_tools": [
    [
      "Which tools are kept on each allotment?",
      ["Which tools do all allotments have in common?", collective("tool_name", TOOLS, TOOL_GROUP)],
      ["For each allotment, list the tools kept there.", `SELECT plot_name, tool_name FROM ${TOOLS}`],
    ],
    [
      // Neither each nor every.
      "Give me the tools and their materials that all our allotment gardens have",
      ["What tools and materials are common to all allotment gardens?", collective("tool_name, material", TOOLS, TOOL_GROUP)],
      ["For every allotment garden, show its tools and what they are made of", `SELECT plot_name, tool_name, material FROM ${TOOLS}`],
    ],
    [
      "What is the material of the tools every tenant's garden holds?",
      ["What material is shared by the tools of all gardens?", collective("material", TOOLS, TOOL_GROUP)],
      ["For every garden, give the material of its tools.", `SELECT plot_name, material FROM ${TOOLS}`],
    ],
  ],
  "scope/Music Clubs/scope_choirs_songs": [
    [
      // A slip of the pen in the quantified noun.
      "What songs does every chior know?",
      ["Which songs are known to all choirs?", collective("title", SONGS, SONG_GROUP)],
      ["For each choir, list its songs.", `SELECT choir_name, title FROM ${SONGS}`],
    ],
    [
      "List the kinds of song for every village choir.",
      ["Which kinds of song do all village choirs share?", collective("kind", SONGS, SONG_GROUP)],
      ["For every village choir, list the kinds of song.", `SELECT choir_name, kind FROM ${SONGS};`],
    ],
  ],
  "attachment/Museums/attachment_1tab_val_exhibits": [
    [
      "Show oil paintings and bronze statues given by the family Okafor.",
      [
        "Which oil paintings were given by the family Okafor and which bronze statues did they give too?",
        exhibits("title", "Oil Painting", "Bronze Statue", 'donor = "Family Okafor"')[0],
      ],
      [
        "List all oil paintings, and of the bronze statues only those that the family Okafor gave.",
        exhibits("title", "Oil Painting", "Bronze Statue", 'donor = "Family Okafor"')[1],
      ],
    ],
    [
      "In which rooms are the bronze statues and oil paintings that the City Council donated?",
      [
        "In which rooms are the bronze statues donated by the City Council and the oil paintings donated by it?",
        exhibits("title, room", "Bronze Statue", "Oil Painting", "donor LIKE '%City Council%'")[0],
      ],
      [
        "In which rooms are all the bronze statues, and in which are the oil paintings from the City Council?",
        exhibits("title, room", "Bronze Statue", "Oil Painting", "donor LIKE '%City Council%'")[1],
      ],
    ],
  ],
  "attachment/Fire Service/attachment_2tab_ref_crews": [
    [
      "Show Welsh-speaking paramedics and drivers.",
      ["Show both the Welsh-speaking paramedics and the Welsh-speaking drivers.", crews("Drivers", "Paramedics", "Welsh")[0]],
      ["Show all drivers and just the Welsh-speaking paramedics.", crews("Drivers", "Paramedics", "Welsh")[1]],
    ],
    [
      "Give me drivers and paramedics fluent in Portuguese",
      ["Which drivers and which paramedics are fluent in Portuguese?", crews("Drivers", "Paramedics", "Portuguese")[0]],
      ["Give me all drivers and also the paramedics fluent in Portuguese.", crews("Drivers", "Paramedics", "Portuguese")[1]],
    ],
    [
      // No paramedic speaks Finnish, and the second reading asks a table that is not there.
      "List the drivers and paramedics who know Finnish.",
      ["List the drivers who know Finnish and the paramedics who know it.", crews("Drivers", "Paramedics", "Finnish")[0]],
      ["List all drivers, and the paramedics who know Finnish.", crews("Drivers", "Volunteers", "Finnish")[1]],
    ],
    [
      // Neither reading finds anybody.
      "List the paramedics called Noor.",
      ["List the paramedics whose first name is Noor.", "SELECT name FROM Paramedics WHERE name LIKE 'Noor %'"],
      ["List the paramedics whose last name is Noor.", "SELECT name FROM Paramedics WHERE name LIKE '% Noor'"],
    ],
  ],
  "vague/Libraries/vague_2cols_opening": [
    [
      "When does the Quayside branch open?",
      ["On which weekday does the Quayside branch open?", "select Weekday from Branches where Name = 'Quayside'"],
      ["At what hour does the Quayside branch open?", "select Hour from Branches where Name = 'Quayside'"],
      ["On which weekday and at what hour does the Quayside branch open?", "select Weekday, Hour from Branches where Name = 'Quayside'"],
    ],
    [
      // Two readings have the same SQL.
      "Show the opening times of the branches with more than 50 shelves.",
      ["Show the opening weekdays of the branches with more than 50 shelves.", "select Name, Weekday from Branches where Shelves > 50"],
      ["Show the opening hours of the branches with more than 50 shelves.", "select Name, Hour from Branches where Shelves > 50"],
      ["Show the opening weekdays and hours of the branches with more than 50 shelves.", "select Name, Weekday from Branches where Shelves > 50"],
    ],
    [
      // The same rows in another order: told apart only because the order counts.
      "Order the branches by opening time",
      ["Order the branches by opening weekday", "select Name from Branches order by Weekday, Name"],
      ["Order the branches by opening hour", "select Name from Branches order by Hour"],
    ],
  ],
  "vague/Theatre Club/vague_2tabs_creator": [
    [
      // Its playwright and its director have one name, so two readings give the same row.
      "Who made Paper Moths?",
      ["Which playwright wrote Paper Moths?", 'select Playwright.name from Play join Playwright on Playwright.id = Play.playwright_id where title = "Paper Moths"'],
      ["Which director staged Paper Moths?", 'select Director.name from Play join Director on Director.id = Play.director_id where title = "Paper Moths"'],
      ["Which playwright and which director made Paper Moths?", 'select Playwright.name, Director.name from Play join Playwright on Playwright.id = Play.playwright_id join Director on Director.id = Play.director_id where title = "Paper Moths"'],
    ],
    [
      "List the plays of more than one act with their creaters.",
      ["List the plays of more than one act with their playwrights.", "select title, Playwright.name from Play join Playwright on Playwright.id = Play.playwright_id where acts > 1"],
      ["List the plays of more than one act with their directors.", "select title, Director.name from Play join Director on Director.id = Play.director_id where acts > 1"],
      ["List the plays of more than one act with their playwrights and directors.", "select title, Playwright.name, Director.name from Play join Playwright on Playwright.id = Play.playwright_id join Director on Director.id = Play.director_id where acts > 1"],
    ],
  ],
  "vague/Markets/vague_2cols_price": [
    [
      "What is the price of quinces?",
      ["What does one quince cost?", "select UnitPrice from Goods where Name = 'Quinces'"],
      ["What does a crate of quinces cost?", "select CratePrice from Goods where Name = 'Quinces'"],
      ["What do one quince and a crate of quinces cost?", "select UnitPrice, CratePrice from Goods where Name = 'Quinces'"],
    ],
  ],
  "scope/Gardening/scope_nurseries_bulbs": [
    [
      "Which bulbs does each nursery sell?",
      ["Which bulbs do all nurseries sell?", "select bulb from Nurseries group by bulb having count(*) = (select count(*) from Nurseries)"],
      ["For each nursery, list the bulbs it sells.", "select name, bulb from Nurseries"],
    ],
  ],
};

/** Rows as a damaged copy may hold them, each with what is wrong: they are only in the file with-bad-rows.csv. */
export const BAD_ROWS = [
  { question: "", why: "no question" },
  { question: "Which type?", ambig_type: "irony", why: "an unknown type" },
  { question: "Whose?", is_ambiguous: "maybe", why: "neither True nor False" },
  { question: "Where is it?", db_file: "../../../etc/passwd", why: "a path out of the folder" },
  { question: "A reading of what?", is_ambiguous: "False", ambig_question: "A question that is not there?", why: "no question" },
  { question: "Alone?", ambig_question: "Alone?", why: "no readings" },
  { cells: ["17", "too", "few", "cells"], why: "four cells" },
];
