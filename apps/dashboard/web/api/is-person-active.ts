// Whether a person is at the page. What it asks while nobody is must not keep the session alive.

/** Between two actions people read. */
const ATTENTION_MS = 60_000;
const ACTIONS = ["pointerdown", "keydown", "wheel", "touchmove"] as const;

function watchPerson(page: Document): () => boolean {
  // Somebody has opened the page.
  let lastActionMs = Date.now();
  for (const action of ACTIONS) {
    page.addEventListener(action, () => (lastActionMs = Date.now()), { capture: true, passive: true });
  }
  return () => Date.now() - lastActionMs <= ATTENTION_MS;
}

export const isPersonActive = watchPerson(document);
