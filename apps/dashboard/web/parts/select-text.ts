// Selects the text of an element, so that the person can copy it. False if the element does not exist.
export function selectText(id: string | undefined): boolean {
  const element = id === undefined ? null : document.getElementById(id);
  if (element instanceof HTMLInputElement) {
    element.focus();
    element.select();
  } else if (element) window.getSelection()?.selectAllChildren(element);
  return element !== null;
}
