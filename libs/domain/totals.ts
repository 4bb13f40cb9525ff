// What the members of a clan's leaderboard are together.

/** `memberships`: of these members, those who have one. `asOf`: when they were counted. */
export type Totals = { members: number; memberships: number; xp: bigint; asOf: Date };
