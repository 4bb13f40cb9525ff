// The one style of public pages and embeds. It is part of each page, and its hash is the only style that the pages'
// policy permits.
import { hash } from "node:crypto";

/** Colors have a contrast of at least 4.5 to 1 on their background. */
export const STYLE = `
:root { color-scheme: light dark; --back: #fff; --text: #1c1e26; --faint: #5a6072; --line: #dfe2ea; --link: #4338ca; }
@media (prefers-color-scheme: dark) {
  :root { --back: #14161d; --text: #eceef4; --faint: #a7adbd; --line: #313646; --link: #a5b4fc; }
}
.light { color-scheme: light; --text: #1c1e26; --faint: #5a6072; --line: #dfe2ea; }
.dark { color-scheme: dark; --text: #eceef4; --faint: #a7adbd; --line: #313646; }
* { box-sizing: border-box; }
body { margin: 0; background: var(--back); color: var(--text); font: 1rem/1.5 system-ui, sans-serif; }
.embed body { background: transparent; }
main { max-width: 44rem; margin: 0 auto; padding: 1.5rem 1rem; }
.embed main { max-width: none; padding: 0.25rem 0.5rem; }
h1, h2 { line-height: 1.2; overflow-wrap: anywhere; }
h1 { font-size: 1.75rem; margin: 0 0 0.5rem; }
h2 { font-size: 1.125rem; margin: 2rem 0 0.5rem; }
p { margin: 0.25rem 0; }
a { color: var(--link); }
.faint { color: var(--faint); }
ol, ul { list-style: none; margin: 0; padding: 0; }
li { display: flex; column-gap: 0.75rem; padding: 0.4rem 0; border-bottom: 1px solid var(--line); }
ol { display: grid; grid-template-columns: auto minmax(0, 1fr) fit-content(12rem) fit-content(11rem); }
ol li { display: grid; grid-column: 1 / -1; grid-template-columns: subgrid; }
.position { min-width: 2.25em; font-variant-numeric: tabular-nums; color: var(--faint); }
.name { flex: auto; min-width: 0; overflow-wrap: anywhere; text-align: left; }
.note { overflow-wrap: anywhere; color: var(--faint); }
.number { grid-column: -2 / -1; overflow-wrap: anywhere; font-variant-numeric: tabular-nums; text-align: right; }
@media (max-width: 30rem) {
  ol { grid-template-columns: auto minmax(0, 1fr) auto fit-content(11rem); }
  .rank { grid-area: 2 / 2; }
  .rank + .number { grid-area: 1 / 3 / auto / -1; }
}
.spoken { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
`;

const STYLE_SOURCE = `'sha256-${hash("sha256", STYLE, "base64")}'`;

/** `ancestors`: the pages that may show it in a frame. */
export function contentPolicy(ancestors: string): string {
  return `default-src 'none'; style-src ${STYLE_SOURCE}; base-uri 'none'; form-action 'none'; frame-ancestors ${ancestors}`;
}
