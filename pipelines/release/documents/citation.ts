/** The paper whose benchmark a release rebuilds. */
export const PAPER = {
  title:
    "Conversational Task Disambiguation over Tabular Data: Leakage-Aware Formulation, Benchmark Suite, and Training",
  authors: [
    "Nafiseh Ghoroghchian",
    "Luis Scoccola",
    "Tina Sedaghat",
    "Omid Vaheb",
    "Hannah Chen",
    "Dino D'Agostino",
    "Keyvan Golestan",
  ],
  arxiv: "2610.10740",
  url: "https://arxiv.org/abs/2610.10740",
  year: 2026,
} as const;

/** The paper in BibTeX. */
export const BIBTEX = `@misc{ghoroghchian2026conversational,
  title = {${PAPER.title}},
  author = {${PAPER.authors.join(" and ")}},
  year = {${PAPER.year}},
  eprint = {${PAPER.arxiv}},
  archivePrefix = {arXiv},
  url = {${PAPER.url}}
}`;
