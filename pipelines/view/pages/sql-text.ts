import { type Token, tokens } from "../../sql/index.js";
import { html, type Markup } from "./markup.js";

/** Words that are set apart; a name that is called like one is coloured too, which does no harm. */
const KEYWORDS = new Set(
  `select from where group by having order limit offset join left right inner outer full cross natural on using as and or not
  in is null like glob between exists case when then else end union all except intersect distinct with recursive values cast
  collate asc desc insert into update set delete create table view index alter drop add column primary key foreign references
  unique check default over partition rows range preceding following current row filter within returning begin commit`.split(
    /\s+/,
  ),
);

const CLASSES: Partial<Record<Token["kind"], string>> = {
  string: "s",
  blob: "s",
  number: "n",
  comment: "c",
  quoted_identifier: "q",
};

/** SQL as written, in light colours. */
export function sqlText(sql: string): Markup {
  return html`<pre class="sql"><code>${tokens(sql).map(({ kind, text }) => {
    const isKeyword = kind === "identifier" && KEYWORDS.has(text.toLowerCase());
    const name = isKeyword ? "k" : CLASSES[kind];
    return name === undefined ? text : html`<span class="${name}">${text}</span>`;
  })}</code></pre>`;
}
