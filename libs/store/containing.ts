// Matches texts that contain another one, ignoring case.

/** Characters with a meaning in MongoDB's regular expressions. */
const SPECIAL = /[\\^$.*+?()[\]{}|]/g;

export function containing(text: string): { $regex: string; $options: "i" } {
  return { $regex: text.replaceAll(SPECIAL, String.raw`\$&`), $options: "i" };
}
