// A circle with the initials of a member, in place of a picture: no image is loaded from anywhere.
const COLORS = 6;
const graphemes = new Intl.Segmenter();

/** `of`: the name, or what is known instead of it. */
export function Initials({ of: name, isLarge = false }: { of: string; isLarge?: boolean }) {
  return (
    <span
      aria-hidden="true"
      data-color={colorOf(name)}
      className={`initials inline-flex shrink-0 items-center justify-center overflow-hidden rounded-full font-semibold no-underline select-none ${isLarge ? "size-12 text-lg" : "size-7 text-xs"}`}
    >
      {initialsOf(name)}
    </span>
  );
}

/**
 * The first characters of the first and the last word, as people see characters: an emoji is one. Of a number its end,
 * because the ids of a platform begin alike.
 */
function initialsOf(name: string): string {
  if (/^\d+$/.test(name)) return name.slice(-2);
  const words = name.split(/[\s\p{P}]+/u).filter((word) => word !== "");
  const [first = name] = words;
  const shown = words.length > 1 ? [first, words.at(-1) ?? ""] : [first];
  return shown.map((word) => [...graphemes.segment(word)][0]?.segment.toUpperCase() ?? "").join("");
}

/** The same for the same name, so that people recognize it. */
function colorOf(name: string): number {
  let sum = 0;
  for (const character of name) sum = (sum * 31 + (character.codePointAt(0) ?? 0)) % 65_521;
  return sum % COLORS;
}
