// Which member: a platform id within a clan, as a pair and as one string.

/** (clan, member) in one string: the members' `_id`, and the name of a lock. */
export type MemberId = `${string}/${string}`;
export type MemberRef = { clanId: string; platformId: string };

export function memberIdOf(ref: MemberRef): MemberId {
  return `${ref.clanId}/${ref.platformId}`;
}

export function memberRefOf(id: MemberId): MemberRef {
  const [clanId = "", platformId = ""] = id.split("/");
  return { clanId, platformId };
}
