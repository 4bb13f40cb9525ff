// Puts a text on the clipboard. False where the browser offers none: to pages that came over plain HTTP from another
// machine.
export async function copyText(text: string): Promise<boolean> {
  if (!navigator.clipboard) return false;
  return navigator.clipboard.writeText(text).then(
    () => true,
    () => false,
  );
}
