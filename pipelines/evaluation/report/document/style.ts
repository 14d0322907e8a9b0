/** The page's style: quiet, printable, readable at any width. */
export const STYLE = `
:root { color-scheme: light dark; --page: #fff; --ink: #1b2430; --soft: #5c6878; --line: #d5dbe3; --wash: #f4f6f9; --warn: #8a3b00; --warn-wash: #fff4e6; --paper: #7a4fa3; }
@media screen and (prefers-color-scheme: dark) {
  :root { --page: #14181d; --ink: #e6e7e8; --soft: #a2abb6; --line: #343b44; --wash: #1e242b; --warn: #f2b26b; --warn-wash: #2b2117; --paper: #c4a6ea; }
}
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 1180px; padding: 2rem 1.5rem 4rem; color: var(--ink); background: var(--page);
  font: 15px/1.5 system-ui, -apple-system, "Segoe UI", "Helvetica Neue", Arial, "DejaVu Sans", sans-serif; }
h1 { font-size: clamp(1.35rem, 1.1rem + 1.5vw, 1.7rem); line-height: 1.2; margin: 0 0 .6rem; text-wrap: balance; }
h2 { font-size: 1.25rem; margin: 2.6rem 0 .6rem; padding-top: .8rem; border-top: 2px solid var(--ink); }
h3 { font-size: 1rem; margin: 0 0 .5rem; }
p { max-width: 75ch; }
.notice { max-width: none; padding: .7rem 1rem; border-left: 5px solid var(--warn); background: var(--warn-wash); color: var(--warn); font-weight: 600; }
.facts { color: var(--soft); padding-left: 1.1rem; margin: .5rem 0; }
nav ol { display: flex; flex-wrap: wrap; gap: .2rem 1.6rem; padding: 0; list-style-position: inside; }
nav a { color: inherit; }
figure { margin: 1.6rem 0 2.2rem; }
figcaption { max-width: 95ch; margin-top: .5rem; font-size: .86rem; color: var(--soft); }
.scroll { overflow-x: auto; }
/* A shadow at the edge says that a table goes on there. */
.table .scroll { background: linear-gradient(90deg, var(--page) 30%, transparent) 0 0, linear-gradient(270deg, var(--page) 30%, transparent) 100% 0,
  linear-gradient(90deg, rgb(90 100 120 / .3), transparent) 0 0, linear-gradient(270deg, rgb(90 100 120 / .3), transparent) 100% 0;
  background-repeat: no-repeat; background-size: 40px 100%, 40px 100%, 12px 100%, 12px 100%; background-attachment: local, local, scroll, scroll; }
.picture { display: flex; flex-wrap: wrap; gap: .2rem 2.2rem; align-items: flex-start; }
.picture h3 { flex: 0 0 100%; }
.picture .scroll { flex: 0 1 auto; max-width: 100%; }
.picture figcaption { flex: 1 1 22rem; margin: .5rem 0 0; }
.picture svg { max-width: 100%; height: auto; background: #fff; border-radius: 6px; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; font-size: .88rem; border-top: 2px solid var(--ink); border-bottom: 2px solid var(--ink); }
th, td { padding: .28rem .5rem; text-align: right; vertical-align: top; white-space: nowrap; }
tr > :first-child { padding-left: 0; } tr > :last-child { padding-right: 0; }
thead th { border-bottom: 1px solid var(--ink); font-weight: 600; vertical-align: bottom; white-space: normal; min-width: 4.5em; }
tbody th, thead th.key { text-align: left; font-weight: 500; }
td.words { text-align: left; white-space: normal; }
tr.group > * { border-top: 1px solid var(--line); }
td small { display: block; color: var(--soft); font-size: .8em; line-height: 1.3; white-space: normal; max-width: 11em; margin-left: auto; }
td small span { white-space: nowrap; }
td small.paper { color: var(--paper); }
td.strong { font-weight: 700; }
td.strong small { font-weight: 400; }
sub, sup { font-size: .72em; line-height: 0; }
.notes { font-size: .86rem; color: var(--soft); margin: .4rem 0 0; padding-left: 1.2rem; max-width: 95ch; }
.transcript { border: 1px solid var(--line); border-radius: 6px; padding: .5rem .9rem; margin: .5rem 0; }
.transcript summary { cursor: pointer; font-weight: 600; overflow-wrap: anywhere; }
.transcript small { color: var(--soft); font-weight: 400; }
.transcript dt { margin-top: .5rem; padding-left: 1.4rem; text-indent: -1.4rem; }
.transcript dt::before { content: "Q  "; color: var(--soft); font-weight: 700; }
.transcript dd { margin: 0 0 .2rem; padding-left: 1.4rem; text-indent: -1.4rem; }
.transcript dd::before { content: "A  "; color: var(--soft); font-weight: 700; }
blockquote { margin: .5rem 0; padding: .3rem 1rem; border-left: 4px solid var(--line); }
pre { background: var(--wash); padding: .6rem .8rem; overflow-x: auto; white-space: pre-wrap; overflow-wrap: anywhere; font-size: .85rem; margin: .2rem 0; }
@media screen and (max-width: 40rem) { body { padding: 1.2rem 1rem 3rem; } .picture svg { max-width: none; } }
@media print { body { max-width: none; padding: 0; font-size: 11px; } figure, details { break-inside: avoid; } h2 { break-after: avoid; } }
`;
