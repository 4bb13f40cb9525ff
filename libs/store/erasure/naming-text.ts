// Matches texts that name a member: those that contain the platform ID, not as a part of a longer word or number.

/**
 * No character of a platform ID ends the quotation. `$gt` is the condition of the partial indexes over reasons, so that
 * MongoDB uses them.
 */
export function namingText(platformId: string): { $gt: string; $regex: string } {
  return { $gt: "", $regex: `(?<![A-Za-z0-9])\\Q${platformId}\\E(?![A-Za-z0-9])` };
}
