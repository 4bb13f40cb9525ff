// Ways to copy a text: by the browser, or by the person.

/** False if the browser has no clipboard API, as on pages loaded over plain HTTP from another machine. */
export async function copyText(text: string): Promise<boolean> {
  if (!navigator.clipboard) return false;
  return navigator.clipboard.writeText(text).then(
    () => true,
    () => false,
  );
}

/** Selects the text of an element, so that the person can copy it. False if the element does not exist. */
export function selectText(id: string | undefined): boolean {
  const element = id === undefined ? null : document.getElementById(id);
  if (element instanceof HTMLInputElement) {
    element.focus();
    element.select();
  } else if (element) window.getSelection()?.selectAllChildren(element);
  return element !== null;
}
