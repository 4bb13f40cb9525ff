// Whether two names look the same: a person types what a page shows, which may differ from the code points of the name.

export function isSameName(one: string, other: string): boolean {
  return asShown(one) === asShown(other);
}

/** Without invisible characters, and with each run of white space as one space, as HTML displays it. */
function asShown(name: string): string {
  return name
    .replaceAll(/[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu, "")
    .replaceAll(/\s+/g, " ")
    .trim()
    .normalize("NFC");
}
