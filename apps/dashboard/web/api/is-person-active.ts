// Whether a person is using the page. Requests of a page that nobody uses must not keep the session alive.

/** People read between two actions. */
const ATTENTION_MS = 60_000;
const ACTIONS = ["pointerdown", "keydown", "wheel", "touchmove"] as const;

function watchPerson(page: Document): () => boolean {
  // Opening the page counts as an action.
  let lastActionMs = Date.now();
  for (const action of ACTIONS) {
    page.addEventListener(action, () => (lastActionMs = Date.now()), { capture: true, passive: true });
  }
  return () => Date.now() - lastActionMs <= ATTENTION_MS;
}

export const isPersonActive = watchPerson(document);
