import { describe, expect, it } from "vitest";
import { findTerm } from "../../../pipelines/datasets/ambiqt/term.js";

/** Columns of a small schema, the column asked for among them. */
const COLUMNS = [
  "singer.singer_id",
  "singer.name",
  "singer.song_name",
  "singer.song_release_year",
  "singer.age",
  "singer.country",
  "student.fname",
  "student.lname",
  "student.stuid",
  "pets.pettype",
  "pets.pet_age",
  "cars_data.weight",
  "teacher.hometown",
  "course.course_name",
  "course.course_id",
  "degree.degree_summary_name",
  "dogs.date_departed",
  "dogs.date_arrived",
  "treatments.date_of_treatment",
  "treatment_types.treatment_type_description",
  "people.name",
  "battle.name",
  "ship.injured",
  "movie.directed_by",
  "country.surfacearea",
  "country.lifeexpectancy",
  "country.name",
  "orchestra.record_company",
  "boats.length_m",
  "members.member_name",
  "books.price",
].map((text) => ({ table: text.split(".")[0] ?? "", column: text.split(".")[1] ?? "" }));

/** [request, table.column, other ways in which the source says the column, the term; null: not in the request] */
type Case = [request: string, place: string, spoken: string[], term: string | null];

const TABLE: Case[] = [
  // The whole name.
  ["What is the average age of all singers?", "singer.age", [], "age"],
  ["Show name, country, age for all singers ordered by age.", "singer.age", [], "age"],
  ["List the Country of every singer.", "singer.country", [], "Country"],
  ["Which countries have singers?", "singer.country", [], "countries"],
  ["What is the weight of the car?", "cars_data.weight", [], "weight"],
  ["Show the song name of the youngest singer.", "singer.song_name", [], "song name"],
  ["Show the song names of the youngest singers.", "singer.song_name", [], "song names"],
  ["What is the song_name of each singer?", "singer.song_name", [], "song_name"],
  ["List the record companies.", "orchestra.record_company", [], "record companies"],
  // Run together in the schema, apart in the request, and the other way round.
  ["Show the home towns of teachers.", "teacher.hometown", [], "home towns"],
  ["Give the total surface area of all countries.", "country.surfacearea", [], "surface area"],
  ["What is the life expectancy in Brazil?", "country.lifeexpectancy", [], "life expectancy"],
  // Turned around.
  ["What is the name of the song by the youngest singer?", "singer.song_name", [], "name of the song"],
  ["Show the names of all the songs.", "singer.song_name", [], "names of all the songs"],
  ["Give the release year of the song.", "singer.song_release_year", [], "release year"],
  // "of" in the name, words that introduce a noun in between.
  ["How many staff work there?", "museum.num_of_staff", [], "staff"],
  ["Show the date and the owner of each treatment.", "treatments.date_of_treatment", [], "date"],
  ["List the date of each treatment.", "treatments.date_of_treatment", [], "date of each treatment"],
  // As the source says it in words.
  ["What is the first name of students with a cat?", "student.fname", ["first name"], "first name"],
  ["Show the first names and ages.", "student.fname", ["first name"], "first names"],
  ["Give the last name of each student.", "student.lname", ["last name"], "last name"],
  ["How many types of pet are there?", "pets.pettype", ["pet type"], "types of pet"],
  ["List each pet type once.", "pets.pettype", ["pet type"], "pet type"],
  // Without the table's words.
  ["What is the maximum age for each kind of pet?", "pets.pet_age", ["pet age"], "age"],
  [
    "What are the descriptions of the treatment types?",
    "treatment_types.treatment_type_description",
    [],
    "descriptions of the treatment types",
  ],
  ["What is the length of each boat?", "boats.length_m", [], "length"],
  // Only the last or the first word.
  ["Give the summary of each degree.", "degree.degree_summary_name", [], "summary"],
  ["When did the dogs depart? Give the date.", "dogs.date_departed", [], "date"],
  // The same stem.
  ["What do the cars weigh?", "cars_data.weight", [], "weigh"],
  ["Which death and injury situations were caused?", "ship.injured", [], "injury"],
  ["How many were injured?", "ship.injured", [], "injured"],
  // A naming column is named by its table's noun.
  ["Which countries have a population above 1000?", "country.name", [], "countries"],
  ["Which battles were lost?", "battle.name", [], "battles"],
  ["List the courses that start in May.", "course.course_name", [], "courses"],
  ["Which singers are from France?", "singer.age", [], null],
  // A bare word takes its noun along.
  ["List the names of the singers.", "singer.name", [], "names of the singers"],
  ["List all singer names.", "singer.name", [], "singer names"],
  ["Show the name and age of each singer.", "singer.name", [], "name"],
  ["List the names of people that are poor.", "people.name", [], "names of people"],
  // Not part of another column's longer name.
  ["Show the song name and the name of every singer.", "singer.name", [], "name of every singer"],
  ["Show the song name of every singer older than 30.", "singer.name", [], "singer"],
  // Not grammar alone.
  ["Which movies were made by Spielberg?", "movie.directed_by", [], null],
  ["Who directed the movie?", "movie.directed_by", [], "directed"],
  // Not inside another word.
  ["What is the average villager's income?", "singer.age", [], null],
  ["What does each book cost?", "books.price", [], null],
  // Odd text around it.
  ["  AGE?? ", "singer.age", [], "AGE"],
  ["Show the “age” – please.", "singer.age", [], "age"],
  ["Show the singer's ages, and their names.", "singer.age", [], "ages"],
];

describe("findTerm", () => {
  for (const [request, place, spoken, term] of TABLE) {
    const [table = "", column = ""] = place.split(".");
    it(`${place} in ${JSON.stringify(request)}: ${term ?? "no words of the request"}`, () => {
      const found = findTerm({ request, table, names: [column, ...spoken], columns: COLUMNS });
      if (term === null) expect(found.inRequest, found.term).toBe(false);
      else expect(found).toEqual({ term, inRequest: true });
    });
  }

  it("gives words of the request as they stand there, whatever the request", () => {
    for (const [request, place, spoken] of TABLE) {
      const [table = "", column = ""] = place.split(".");
      const { term, inRequest } = findTerm({ request, table, names: [column, ...spoken], columns: COLUMNS });
      if (inRequest) expect(request).toContain(term);
      expect(term.trim()).toBe(term);
      expect(term).not.toBe("");
    }
  });

  it("falls back on the column's name in words", () => {
    const found = findTerm({ request: "What is it?", table: "t", names: ["Song_release_year"], columns: [] });
    expect(found).toEqual({ term: "song release year", inRequest: false });
    expect(findTerm({ request: "What?", table: "t", names: ["#"], columns: [] }).term).toBe("#");
    expect(findTerm({ request: "", table: "", names: ["x"], columns: [] })).toEqual({
      term: "x",
      inRequest: false,
    });
  });
});
