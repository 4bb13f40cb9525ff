// Copies a text to the clipboard. False if the browser has no clipboard API, as on pages loaded over plain HTTP from
// another machine.
export async function copyText(text: string): Promise<boolean> {
  if (!navigator.clipboard) return false;
  return navigator.clipboard.writeText(text).then(
    () => true,
    () => false,
  );
}
