// Whether two names read the same: a person types what a page shows, and that is not each code point of the name.

export function isSameName(one: string, other: string): boolean {
  return asShown(one) === asShown(other);
}

/** Without what is invisible, and with one space where white space is, as HTML shows it. */
function asShown(name: string): string {
  return name
    .replaceAll(/[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu, "")
    .replaceAll(/\s+/g, " ")
    .trim()
    .normalize("NFC");
}
