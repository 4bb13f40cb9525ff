// Identifies a member: a platform id within a clan, as a pair and as one string.

/** (clan, member) as one string: the `_id` of a member's document, and the name of a lock. */
export type MemberId = `${string}/${string}`;
export type MemberRef = { clanId: string; platformId: string };

export function memberIdOf(ref: MemberRef): MemberId {
  return `${ref.clanId}/${ref.platformId}`;
}

export function memberRefOf(id: MemberId): MemberRef {
  const [clanId = "", platformId = ""] = id.split("/");
  return { clanId, platformId };
}
