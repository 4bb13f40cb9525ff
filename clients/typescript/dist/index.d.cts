export { ClanXp } from "./clan-xp.cjs";
export { ClanXpError } from "./error.cjs";
export type * from "./types.cjs";
export type { AwardChange, Clan, Member, Rank } from "./wire.cjs";
