// Names that are written from right to left, in sentences and tables that are not.

/** Hebrew, Arabic, Syriac, Thaana, NKo and their later neighbours. */
const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

/** `text`, so that it does not turn what is around it, where it contains such a name (Unicode's FSI and PDI). */
export function isolated(text: string): string {
  return RIGHT_TO_LEFT.test(text) ? `\u2068${text}\u2069` : text;
}
