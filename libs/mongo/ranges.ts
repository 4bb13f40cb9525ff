// Ranges of ids that begin with another id: within a clan, "clanId/platformId" has the order of the platformIds.

/** Sorts after every character of an id: they are printable ASCII. */
export const BEHIND = "\u007f";

/** The ids "id/…", or those of them from one on. */
export function idsUnder(id: string, from = "") {
  // "0" is the character after "/".
  return { $gte: `${id}/${from}`, $lt: `${id}0` };
}
