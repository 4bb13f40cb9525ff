// What people ask a notifier to do now, with the responses.
import type { AttemptError, Destination } from "#domain/destination.ts";

/**
 * What a person asks the holder of a destination, or any notifier, to do now. `rev`: as the person knows it. `sealed`:
 * the secrets of a destination that need not exist yet, in the context of the clan.
 */
export type Call =
  | { kind: "test"; destinationId: string; rev: number }
  | { kind: "sync"; destinationId: string; rev: number; platformId: string | null; dryRun: boolean }
  | { kind: "inspect"; clanId: string; destinationKind: Destination["kind"]; target: string; sealed: string };

export type TestResult = { status: number | null; ms: number; error: string | null; response: string | null };
export type RoleDifference = {
  platformId: string;
  rank: string | null;
  has: readonly string[];
  wants: readonly string[];
};
export type SyncResult = { members: number; changed: number; differences: readonly RoleDifference[] };
/**
 * The roles of a group or server that a credential may assign; `fault`: why it cannot be used, with the fix; `error`: it is
 * that there was no response. `whyNot`: why a role is not usable, as a sentence with what to do.
 */
export type InspectResult = {
  fault: string | null;
  error?: Exclude<AttemptError, "status">;
  roles: readonly { roleId: string; name: string; isUsable: boolean; whyNot?: string }[];
};

export type CallResult = { test?: TestResult; sync?: SyncResult; inspect?: InspectResult; fault?: string };

export type CallStore = {
  /**
   * Resolves with the result; empty if there is none after `timeoutMs`, and the notifier goes on. Null if no notifier has
   * taken the call by then, or within `takenWithinMs`: none will.
   */
  ask(call: Call, options: { timeoutMs: number; takenWithinMs?: number }): Promise<CallResult | null>;
  /**
   * The next call that this process may take: a comparison of all members of a destination that it holds; any other
   * call of those in `free.held`, or of no destination, but not of these clans; none of the others if `free` is null.
   */
  take(
    notifierId: string,
    which: { held: readonly string[]; free: { held: readonly string[]; busyClans: readonly string[] } | null },
  ): Promise<{ callId: string; call: Call } | null>;
  answer(callId: string, result: CallResult): Promise<void>;
};
