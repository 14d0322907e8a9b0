// The sample's databases: folder, annotation, how it lies in the schema, and the SQL that makes the database.

const table = (tab_name) => ({ tab_name, col_name: null, value: null, scope_id: null, db_type: "table" });
const column = (tab_name, col_name) => ({ tab_name, col_name, value: null, scope_id: null, db_type: "column" });
const value = (tab_name, col_name, one) => ({ tab_name, col_name, value: one, scope_id: null, db_type: "value" });

export const DATABASES = [
  {
    folder: "scope/Gardening/scope_allotments_tools",
    concepts: {
      template: "Each Allotments has many different Garden Tools. Among them, Spade is common to many Allotments.",
      specific_component: "Spade",
      components: "Garden Tools",
      entities: "Allotment Gardens",
    },
    places: {
      entities: table("Allotment_Gardens"),
      components: table("Garden_Tools"),
      specific_component: value("Garden_Tools", "tool_name", "Spade"),
      entities_components: table("Allotment_Tools"),
    },
    sql: `CREATE TABLE Allotment_Gardens (id INTEGER PRIMARY KEY, plot_name TEXT, tenant TEXT);
INSERT INTO Allotment_Gardens VALUES (1,'Willow Plot','Ines Duarte'),(2,'Brook Plot','Tomasz Zielinski'),(3,'Hedge Plot','Åsa Lindqvist');
CREATE TABLE Garden_Tools (id INTEGER PRIMARY KEY, tool_name TEXT, material TEXT);
INSERT INTO Garden_Tools VALUES (1,'Spade','steel'),(2,'Rake','ash wood'),(3,'Watering Can','zinc'),(4,'Hoe','steel');
CREATE TABLE Allotment_Tools (allotment_id INTEGER REFERENCES Allotment_Gardens(id), tool_id INTEGER REFERENCES Garden_Tools(id));
INSERT INTO Allotment_Tools VALUES (1,1),(1,2),(1,3),(2,1),(2,4),(3,1),(3,3);`,
  },
  {
    folder: "scope/Music Clubs/scope_choirs_songs",
    concepts: {
      template: "Each Village Choirs has many different Songs. Among them, Lullaby is common to many Village Choirs.",
      specific_component: "Lullaby",
      components: "Songs",
      entities: "Village Choirs",
    },
    places: {
      entities: table("Choirs"),
      components: table("Songs"),
      specific_component: value("Songs", "kind", "Lullaby"),
      entities_components: table("Repertoire"),
    },
    sql: `CREATE TABLE Choirs (id INTEGER PRIMARY KEY, choir_name TEXT, founded INTEGER);
INSERT INTO Choirs VALUES (1,'Harbour Voices',1988),(2,'Mill Lane Singers',2004);
CREATE TABLE Songs (id INTEGER PRIMARY KEY, title TEXT, kind TEXT);
INSERT INTO Songs VALUES (1,'Still the Boats','Lullaby'),(2,'Reapers'' Round','Canon'),(3,'Nine Candles','Carol');
CREATE TABLE Repertoire (choir_id INTEGER REFERENCES Choirs(id), song_id INTEGER REFERENCES Songs(id));
INSERT INTO Repertoire VALUES (1,1),(1,2),(2,1),(2,3);`,
  },
  {
    folder: "attachment/Museums/attachment_1tab_val_exhibits",
    concepts: {
      template: "Oil Painting and Bronze Statue are subclasses of Exhibits. All have the property \"Donor\".",
      general_class: "Exhibits",
      class1: "Oil Painting",
      class2: "Bronze Statue",
      common_property: "Donor",
      common_value: "Family Okafor",
    },
    places: {
      domain: "Museums",
      type: "1tab_val",
      general_class: column("Exhibits", "kind"),
      class1: value("Exhibits", "kind", "Oil Painting"),
      class2: value("Exhibits", "kind", "Bronze Statue"),
      common_property: value("Exhibits", "donor", "Family Okafor"),
    },
    sql: `CREATE TABLE Exhibits (id INTEGER PRIMARY KEY, title TEXT, kind TEXT, donor TEXT, room INTEGER);
INSERT INTO Exhibits VALUES (1,'Ferry at Dawn','Oil Painting','Family Okafor',2),(2,'The Weighbridge','Oil Painting','City Council',2),
(3,'Running Hare','Bronze Statue','Family Okafor',5),(4,'Old Net Mender','Bronze Statue','Harbour Trust',5),(5,'Tin Kettle','Household','City Council',1);`,
  },
  {
    folder: "attachment/Fire Service/attachment_2tab_ref_crews",
    concepts: {
      template: "Driver and Paramedic are subclasses of Crew. All have the property \"Language\".",
      general_class: "Crew Members",
      class1: "Driver",
      class2: "Paramedic",
      common_property: "Language",
      // Upstream's annotations name values that no question uses, too.
      common_value: "Portuguese",
    },
    places: {
      domain: "Drivers",
      type: "2tab_ref",
      general_class: "Crew Members",
      class1: table("Drivers"),
      class2: table("Paramedics"),
      common_property: value("Languages", "language", "Portuguese"),
    },
    sql: `CREATE TABLE Languages (id INTEGER PRIMARY KEY, language TEXT);
INSERT INTO Languages VALUES (1,'Finnish'),(2,'Welsh'),(3,'Portuguese');
CREATE TABLE Drivers (id INTEGER PRIMARY KEY, name TEXT, speaks_id INTEGER REFERENCES Languages(id));
INSERT INTO Drivers VALUES (1,'Gwen Parry',2),(2,'Mikko Salo',1),(3,'Rui Antunes',3);
CREATE TABLE Paramedics (id INTEGER PRIMARY KEY, name TEXT, speaks_id INTEGER REFERENCES Languages(id));
INSERT INTO Paramedics VALUES (1,'Dafydd Rees',2),(2,'Leila Haddad',3);`,
  },
  {
    folder: "vague/Libraries/vague_2cols_opening",
    concepts: {
      template: "Question: When does it open? Subject of Inquiry: Branch\nFocus: Opening Time Possible answer types: 1. Weekday 2. Hour",
      subject: "Branch",
      focus: "Opening Time",
      general_category1: "Weekday",
      general_category2: "Hour",
    },
    places: {
      general_category1: column("Branches", "Weekday"),
      general_category2: column("Branches", "Hour"),
      subject: table("Branches"),
      type: "2cols",
    },
    sql: `CREATE TABLE Branches (BranchId INTEGER PRIMARY KEY, Name TEXT, Weekday TEXT, Hour TEXT, Shelves INTEGER, Volumes INTEGER);
INSERT INTO Branches VALUES (1,'Station Road','Monday','09:30',120,8400),(2,'Quayside','Tuesday','11:00',75,5100),(3,'Hill Top','Monday','13:00',40,2600);`,
  },
  {
    folder: "vague/Theatre Club/vague_2tabs_creator",
    concepts: {
      template: "Question: Who made this play? Subject of Inquiry: Play\nFocus: Creator Possible answer types: 1. Playwright 2. Director",
      subject: "Play",
      focus: "Creator",
      general_category1: "Playwright",
      general_category2: "Director",
    },
    places: {
      general_category1: table("Playwright"),
      general_category2: table("Director"),
      subject: table("Play"),
      type: "2tabs",
    },
    sql: `CREATE TABLE Playwright (id INTEGER PRIMARY KEY, name TEXT);
INSERT INTO Playwright VALUES (1,'Orla Quinn'),(2,'Bastien Roy');
CREATE TABLE Director (id INTEGER PRIMARY KEY, name TEXT);
INSERT INTO Director VALUES (1,'Hana Kim'),(2,'Orla Quinn');
CREATE TABLE Play (id INTEGER PRIMARY KEY, title TEXT, acts INTEGER, playwright_id INTEGER REFERENCES Playwright(id), director_id INTEGER REFERENCES Director(id));
INSERT INTO Play VALUES (1,'The Salt Stair',3,1,1),(2,'Late Ferry',1,2,2),(3,'Paper Moths',2,1,2);`,
  },
  {
    // All its questions are examples for prompts.
    folder: "vague/Markets/vague_2cols_price",
    split: "few_shot_examples",
    concepts: {
      template: "Question: How much is it? Subject of Inquiry: Stall\nFocus: Price Possible answer types: 1. Unit Price 2. Crate Price",
      subject: "Stall",
      focus: "Price",
      general_category1: "Unit Price",
      general_category2: "Crate Price",
    },
    places: {
      general_category1: column("Goods", "UnitPrice"),
      general_category2: column("Goods", "CratePrice"),
      subject: table("Goods"),
      type: "2cols",
    },
    sql: `CREATE TABLE Goods (GoodId INTEGER PRIMARY KEY, Name TEXT, UnitPrice REAL, CratePrice REAL);
INSERT INTO Goods VALUES (1,'Quinces',0.8,18.0),(2,'Leeks',0.5,9.5);`,
  },
  {
    // Its database is not in this copy of the source.
    folder: "scope/Gardening/scope_nurseries_bulbs",
    missing: true,
    concepts: {
      template: "Each Nurseries has many different Bulbs. Among them, Crocus is common to many Nurseries.",
      specific_component: "Crocus",
      components: "Bulbs",
      entities: "Nurseries",
    },
    places: { entities: table("Nurseries"), components: table("Bulbs") },
    sql: `CREATE TABLE Nurseries (id INTEGER PRIMARY KEY, name TEXT, bulb TEXT);
INSERT INTO Nurseries VALUES (1,'Dell Nursery','Crocus');`,
  },
];
