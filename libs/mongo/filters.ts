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

/**
 * Texts that name a member: that contain the platform ID, not as a part of a longer word or number. No character of a
 * platform ID ends the quotation. `$gt` is the condition of the partial indexes over reasons, so that MongoDB uses them.
 */
export function namingText(platformId: string): { $gt: string; $regex: string } {
  return { $gt: "", $regex: `(?<![A-Za-z0-9])\\Q${platformId}\\E(?![A-Za-z0-9])` };
}
