export { ClanXp } from "./clan-xp.js";
export { ClanXpError } from "./error.js";
export type * from "./types.js";
export type { AwardChange, Clan, Member, Rank } from "./wire.js";
