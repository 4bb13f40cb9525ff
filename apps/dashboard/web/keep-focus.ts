// Preserves the keyboard focus: if the focused element is removed or disabled, the open dialog or the page's heading
// receives the focus. Keyboard and screen-reader users then continue there, and not at the top of the document.
export function keepFocus(page: Document): void {
  let last: Element | null = null;
  let isWaiting = false;

  function look(): void {
    isWaiting = false;
    const isLost = last !== null && (!last.isConnected || last.matches(":disabled"));
    if (!isLost || page.activeElement !== page.body) return;
    const next = page.querySelector<HTMLElement>("[role=dialog]") ?? page.querySelector<HTMLElement>("main h1");
    next?.focus({ preventScroll: true });
  }

  page.addEventListener("focusin", ({ target }) => {
    last = target instanceof Element ? target : null;
  });
  new MutationObserver(() => {
    if (isWaiting) return;
    isWaiting = true;
    // By then, a closed dialog has returned the focus, and a new one has taken it.
    requestAnimationFrame(() => requestAnimationFrame(look));
  }).observe(page, { subtree: true, childList: true, attributeFilter: ["disabled"] });
}
