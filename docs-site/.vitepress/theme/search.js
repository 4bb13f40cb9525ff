// What the search finds first. A page is found first by the words of its title,
// and by other words for its subject, the `keywords` of its front matter.
// Words that say nothing are ignored. What few readers look for comes last.

const EMPTY = new Set(
  "a an and are can do does for from get how i in is it make me my of on or our so that the their there this to use was we what when where which who why will with you your".split(
    " ",
  ),
);
/** Decisions, changelogs, and pages for contributors. */
const LAST = /^\/docs\/(?:decisions|contributing)\/|\/CHANGELOG#|^\/docs\/source\/(?:ARCHITECTURE|CONTRIBUTING)/;
const LAST_BOOST = 0.05;
const KEYWORD_BOOST = 6;

/** `keywords`: the title and the keywords of a page, by the id of its first section in the index. */
export function searchOptions(keywords) {
  const words = new Map(
    Object.entries(keywords).map(([id, text]) => [id, new Set(text.toLowerCase().split(/[\s,]+/))]),
  );
  return {
    processTerm(term) {
      const word = term.toLowerCase();
      return EMPTY.has(word) ? null : word;
    },
    boostDocument(id, term) {
      if (LAST.test(id)) return LAST_BOOST;
      return words.get(id)?.has(term) ? KEYWORD_BOOST : 1;
    },
  };
}
