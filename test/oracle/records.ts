import type { IntentView } from "../../pipelines/oracle/index.js";

const one = (term: string, ...aliases: string[]): IntentView => ({
  ambiguities: [
    { ambiguity_id: term, term, aliases, counts: true, response: `By "${term}" I mean the hidden column.` },
  ],
});

/** Records in AmbiQT's style: one ambiguity, named by words of the request, by columns, and with its noun. */
export const RECORDS = {
  /** Show name, country, age for all singers ordered by age from the oldest to the youngest. */
  singerAge: one("age", "Age", "years_old", "years old", "birthdate", "singer age", "singer.age"),
  /** What are the names of all stadiums that had a concert in 2014? */
  stadiumName: one(
    "names",
    "name",
    "Name",
    "title",
    "appellation",
    "stadium name",
    "stadium title",
    "stadium.name",
  ),
  /** List the names of high schoolers who have friends. */
  schoolerName: one("name", "full_name", "full name", "given_name", "given name", "highschooler name"),
  /** Find the type and weight of the youngest pet. */
  petType: one("type", "pettype", "kind", "pet type", "pet kind", "type of pet"),
  /** What record companies do the orchestras use? */
  recordCompany: one(
    "record companies",
    "record_company",
    "recording_label",
    "recording label",
    "audio_company",
    "audio company",
  ),
  /** Show the id and the citizenship of each singer. */
  citizenship: one("citizenship", "Citizenship", "nationality", "country_of_origin", "country of origin"),
  /** List the descriptions of the feature types. */
  typeDescription: one(
    "descriptions",
    "property_type_description",
    "property type description",
    "type_description",
    "category_description",
    "category description",
  ),
  /** How many battles are on each date? */
  battleDate: one("date", "battle_date", "battle date", "engagement_date", "engagement date", "battle.date"),
} satisfies Record<string, IntentView>;
