// Which texts name a member: those with the platform ID that is no part of a longer word or number.

/**
 * None of a platform ID's characters ends the quotation. `$gt`: the words of the partial indexes over reasons, so that
 * they serve.
 */
export function namingText(platformId: string): { $gt: string; $regex: string } {
  return { $gt: "", $regex: `(?<![A-Za-z0-9])\\Q${platformId}\\E(?![A-Za-z0-9])` };
}
