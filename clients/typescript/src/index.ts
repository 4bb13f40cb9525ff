// What the package exports.
export { ClanXp } from "./clan-xp.ts";
export { ClanXpError } from "./error.ts";
export type { ClanXpErrorCode } from "./error-code.ts";
export type * from "./types.ts";
export type {
  AwardBoost,
  AwardChange,
  Board,
  Clan,
  Event,
  EventPage,
  GainsPage,
  GainsRow,
  ListedStanding,
  Member,
  MemberGains,
  MemberPage,
  Period,
  Position,
  Rank,
  Reversal,
  ReversalAccepted,
  ReversalPreview,
  StandingPage,
  TopMember,
} from "./wire.ts";
