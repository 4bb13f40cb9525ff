// Selects what an element shows, for the person to copy it. False where there is no such element.
export function selectText(id: string | undefined): boolean {
  const element = id === undefined ? null : document.getElementById(id);
  if (element instanceof HTMLInputElement) {
    element.focus();
    element.select();
  } else if (element) window.getSelection()?.selectAllChildren(element);
  return element !== null;
}
