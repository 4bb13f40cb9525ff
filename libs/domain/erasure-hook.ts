// Requests to erase a person that Roblox sends to a hook, and their bounds (docs/how-to/roblox-erasure-requests.md).
import type { Actor } from "#domain/audit.ts";

/**
 * `waiting`: nobody has looked at it yet. `held`: the hook has used up its hour, so a person decides; `refused`: that
 * person has rejected it.
 */
export const erasureRequestStatuses = ["waiting", "running", "done", "held", "refused"] as const;
export type ErasureRequestStatus = (typeof erasureRequestStatuses)[number];

/** A URL for Roblox. `clanIds` null: every clan. `games`: ids of start places; null: of every game. */
export type ErasureHook = {
  hookId: string;
  clanIds: readonly string[] | null;
  games: readonly string[] | null;
  createdAt: Date;
  createdBy: string;
};

/** `platformId`: null once it is done or rejected. `clans`: where the person was erased. */
export type ErasureRequest = {
  notificationId: string;
  hookId: string;
  platformId: string | null;
  status: ErasureRequestStatus;
  clans: readonly string[];
  receivedAt: Date;
  doneAt: Date | null;
};

/** Who erases when Roblox asks. */
export const ROBLOX: Actor = { actor: "Roblox", via: "hook" };

/** Roblox has five for each creator. */
export const HOOKS_PER_CLAN_MAX = 20;
export const CLANS_PER_HOOK_MAX = 100;
export const GAMES_PER_HOOK_MAX = 100;
/** Roblox's are GUIDs. */
export const NOTIFICATION_ID_CHARS_MAX = 200;
/** Roblox's are some hundred bytes, and more with the ids of many games. */
export const NOTIFICATION_BYTES_MAX = 16 * 1024;
/** The clocks of Roblox and of this machine may differ. */
export const SIGNATURE_AHEAD_S_MAX = 5 * 60;
/** Roblox tries several times. A replay in this time counts once, by its NotificationId. */
export const SIGNATURE_AGE_S_MAX = 3 * 24 * 60 * 60;
/** Requests of a hook that erase somebody in an hour: a stolen secret must not empty a clan. */
export const ERASURES_PER_HOUR_MAX = 100;
/** How long a request is stored as evidence, without the person's id. */
export const ERASURE_REQUEST_RETENTION_DAYS = 400;

/** What Roblox is given. */
export function hookUrl(apiUrl: string, hookId: string): string {
  return `${apiUrl}/v0/hooks/${hookId}`;
}

/** The form of a hook's id. Others are not looked up. */
export function isHookId(text: string): boolean {
  return /^hok_[\w-]{16}$/.test(text);
}

/** The id of a start place, as Roblox sends it. */
export function isGameId(text: string): boolean {
  return /^[1-9]\d{0,15}$/.test(text);
}
