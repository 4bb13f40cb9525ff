// What hooks for Roblox's erasure requests need from the outside.
import type { Actor } from "#domain/audit.ts";
import type { ErasureHook, ErasureRequest, ErasureRequestStatus } from "#domain/erasure-hook.ts";

/** `sealed`: the secret, encrypted in the context of the hook's id. */
export type StoredHook = { hook: ErasureHook; sealed: string };

/** `ofClan`: only if it is of this clan alone; null: whichever clans it is of. */
export type OneHook = { hookId: string; ofClan: string | null };

/**
 * Hooks as people manage them. Each change is written with its audit record, and throws AppError `unavailable` or
 * `outcome_unknown`.
 */
export type HookStore = {
  /** Stores the public part of the API's HOOK_KEY, by which everyone encrypts secrets for it. */
  publishKey(publicKey: string): Promise<void>;
  /** Null: no API with HOOK_KEY has run. */
  readKey(): Promise<string | null>;
  /** Those of them that exist and were not removed, by id. Not to be cached: an old secret ends with its rotation. */
  find(hookIds: readonly string[]): Promise<ReadonlyMap<string, StoredHook>>;
  /** The oldest first, without removed ones. `clanId`: only those that name this clan. */
  list(clanId: string | null): Promise<ErasureHook[]>;
  /** Whether it exists, or did before it was removed. */
  isKnown(hookId: string): Promise<boolean>;
  add(stored: StoredHook, limits: { max: number }, by: Actor): Promise<"added" | "no_clan" | "too_many">;
  /** False if it does not exist. */
  rotate(hook: OneHook, sealed: string, by: Actor): Promise<boolean>;
  /** The same. Its requests stay. */
  remove(hook: OneHook, by: Actor): Promise<boolean>;
  /** Deletes hooks that were removed before that, as a retention does. */
  deleteOld(options: { olderThanMs: number; limit: number }): Promise<number>;
};

/**
 * Counts a request against its hook's hour, once however often it is called; false if the hour is used up. Throws
 * AppError `unavailable`.
 */
export type TakeHookTurn = (hookId: string, requestId: string) => Promise<boolean>;

/** `clanIds`: those of the hook. `platformId` null: nobody is to be erased. */
export type NewErasureRequest = {
  hookId: string;
  clanIds: readonly string[] | null;
  notificationId: string;
  platformId: string | null;
  receivedAt: Date;
};

/** `requestId`: unique for the hook and the NotificationId. `isReleased`: by a person, whom no bound stops. */
export type WaitingRequest = Pick<NewErasureRequest, "hookId" | "clanIds" | "platformId"> & {
  requestId: string;
  isReleased: boolean;
};
/** `erasures`: of the person; `clanId` null: in every clan. */
export type RunningRequest = {
  requestId: string;
  platformId: string;
  erasures: readonly { clanId: string | null; erasureId: string }[];
};

/** Null means any. */
export type RequestFilter = { hookId: string | null; status: ErasureRequestStatus | null };

/** Throws AppError `unavailable`; a person's decision `outcome_unknown`, too. */
export type ErasureRequestStore = {
  /** Stores it by a majority, unless the hook has had one with this NotificationId. */
  add(request: NewErasureRequest): Promise<void>;
  /** The newest first. */
  list(filter: RequestFilter, limit: number): Promise<ErasureRequest[]>;
  /** Of hooks that name this clan. */
  countHeld(clanId: string): Promise<number>;
  /** Of the held ones of a hook, with their number in the audit log. Returns it. */
  decide(hookId: string, decision: "release" | "refuse", by: Actor): Promise<number>;
  /** Deletes requests that were done or rejected before that, as a retention does. */
  deleteOld(options: { olderThanMs: number; limit: number }): Promise<number>;
};

/** What workers do with requests. Each step changes those of the status that it begins with. Throws AppError `unavailable`. */
export type RequestSteps = {
  /** The oldest first. */
  waiting(limit: number): Promise<WaitingRequest[]>;
  running(limit: number): Promise<RunningRequest[]>;
  /** False if it is not waiting any more. `clans`: where something is stored of the person. */
  begin(request: RunningRequest, clans: readonly string[]): Promise<boolean>;
  hold(requestIds: readonly string[]): Promise<void>;
  /** Of waiting requests of people of whom nothing is stored. */
  finishUnknown(requestIds: readonly string[]): Promise<void>;
  /** Of a running request, with an audit record for each of its clans. */
  finish(requestId: string): Promise<void>;
};

/** In which of these clans something is stored of each person; those without any are not in it. */
export type FindStored = (
  clanIds: readonly string[],
  platformIds: readonly string[],
) => Promise<ReadonlyMap<string, readonly string[]>>;
