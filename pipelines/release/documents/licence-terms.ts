/** What each licence of a source asks of whoever passes a release on, in our words; the licence's own text decides. */

export interface LicenceTerms {
  readonly name: string;
  /** Where the text stands for good. */
  readonly url: string;
  readonly duties: readonly string[];
  /** Whether what is made from the material must be passed on under the same licence. */
  readonly shareAlike: boolean;
}

const CREDIT = [
  "Name the authors and the work, say that it is under this licence, and link to the licence: the credit lines of this file do.",
  "Say that the material was changed, and keep the notices of earlier changes.",
  "Add no terms and no technical measures that keep others from what the licence allows.",
];

const TERMS: Readonly<Record<string, LicenceTerms>> = {
  MIT: {
    name: "MIT License",
    url: "https://opensource.org/license/mit",
    duties: ["Keep the copyright notice and the licence's text with every copy: both are in this release."],
    shareAlike: false,
  },
  "Apache-2.0": {
    name: "Apache License 2.0",
    url: "https://www.apache.org/licenses/LICENSE-2.0",
    duties: ["Keep the licence's text with every copy, and mark the files that you change."],
    shareAlike: false,
  },
  "CC-BY-4.0": {
    name: "Creative Commons Attribution 4.0 International",
    url: "https://creativecommons.org/licenses/by/4.0/legalcode",
    duties: CREDIT,
    shareAlike: false,
  },
  "CC-BY-SA-4.0": {
    name: "Creative Commons Attribution-ShareAlike 4.0 International",
    url: "https://creativecommons.org/licenses/by-sa/4.0/legalcode",
    duties: [...CREDIT, "Pass on what you make from it under this same licence or a compatible one."],
    shareAlike: true,
  },
};

/** The SPDX ids that an expression joins by AND: all of them bind. */
export const licenceIds = (expression: string): string[] =>
  expression === "NOASSERTION" ? [] : expression.split(" AND ");

/** @throws Error for a licence that a source's manifest names and this file does not: our own mistake */
export function licenceTerms(id: string): LicenceTerms {
  const terms = Object.hasOwn(TERMS, id) ? TERMS[id] : undefined;
  if (terms === undefined) throw new Error(`the terms of the licence ${id} are not written down`);
  return terms;
}

/**
 * The licence of what was made from a source: its share-alike licence where it has one, else its own. Undefined where the
 * source states none.
 */
export function derivedLicence(expression: string): string | undefined {
  const ids = licenceIds(expression);
  if (ids.length === 0) return undefined;
  return ids.find((id) => licenceTerms(id).shareAlike) ?? expression;
}
