// The filters that several stores share.

/** The records of one clan, or of all clans (null). */
export function ofClan({ clanId }: { clanId: string | null }): { clanId?: string } {
  return clanId === null ? {} : { clanId };
}

/** All entries and all members, except those of a member who is being erased. */
export const NO_FENCE = { erasing: { $exists: false } } as const;

/** Characters with a meaning in MongoDB's regular expressions. */
const SPECIAL = /[\\^$.*+?()[\]{}|]/g;

/** Texts that contain another one, ignoring case. */
export function containing(text: string): { $regex: string; $options: "i" } {
  return { $regex: text.replaceAll(SPECIAL, String.raw`\$&`), $options: "i" };
}
