// Matches texts that contain another one, whatever the case of its letters.

/** What means something in a regular expression of MongoDB. */
const SPECIAL = /[\\^$.*+?()[\]{}|]/g;

export function containing(text: string): { $regex: string; $options: "i" } {
  return { $regex: text.replaceAll(SPECIAL, String.raw`\$&`), $options: "i" };
}
