// The language of the tabs that a reader has chosen last, on all pages and at the next visit, too.

const KEY = "clanxp-docs-language";
const TABS = ".vp-code-group .tabs";

/** Remembers each tab that is chosen, and shows the others of its language. */
export function rememberLanguage() {
  window.addEventListener("click", ({ target, isTrusted }) => {
    if (!isTrusted || !target.matches(`${TABS} input`)) return;
    const chosen = labelOf(target)?.textContent ?? "";
    store(chosen);
    const before = target.getBoundingClientRect().top;
    show(chosen);
    // What is above the tab may have become longer.
    window.scrollBy(0, target.getBoundingClientRect().top - before);
  });
}

/** On a page that has just been opened. */
export function showLanguage() {
  const chosen = stored();
  if (chosen) show(chosen);
}

function show(language) {
  for (const input of document.querySelectorAll(`${TABS} input`))
    if (!input.checked && labelOf(input)?.textContent === language) input.click();
}

function labelOf({ id }) {
  return document.querySelector(`${TABS} label[for="${id}"]`);
}

/** A browser may permit no storage. */
function stored() {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null;
  }
}

function store(language) {
  try {
    localStorage.setItem(KEY, language);
  } catch {
    // It is remembered on this page alone.
  }
}
