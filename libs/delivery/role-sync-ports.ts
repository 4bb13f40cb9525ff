// What following ranks needs from the stores.
import type { Destination, RoleOutcome } from "#domain/destination.ts";
import type { Page } from "#domain/page.ts";
import type { MemberRank } from "#domain/role-change.ts";

/** The present rank of members, of whom something is stored here. Reads the rules of now. */
export type ReadRanks = (clanId: string, platformIds: readonly string[]) => Promise<ReadonlyMap<string, MemberRank>>;

/** What is known of the roles of a destination's members. */
export type RoleSyncStore = {
  /**
   * These members' roles are to be compared now, or once `dueInMs` has passed without another mark; at the latest
   * `waitMsMax` after the first of such marks.
   */
  mark(
    destination: Pick<Destination, "destinationId" | "clanId">,
    platformIds: readonly string[],
    due: { dueInMs: number; waitMsMax: number },
  ): Promise<void>;
  /** Lists these members, as `waiting` without being due, if they are not listed yet. */
  list(destination: Pick<Destination, "destinationId" | "clanId">, platformIds: readonly string[]): Promise<void>;
  /** Those that were only listed: a process that has ended since may have listed somebody who was erased meanwhile. */
  forgetListed(destinationId: string): Promise<void>;
  /**
   * Nothing is stored of these members any more. `markedAt` as listed, unless one was marked again since; null: unless
   * they are due.
   */
  forget(destinationId: string, members: readonly { platformId: string; markedAt: Date | null }[]): Promise<void>;
  /** The outcome of a comparison that was not due; those that are due stay so. Nobody is added to the list. */
  note(
    destinationId: string,
    platformIds: readonly string[],
    result: { outcome: RoleOutcome; reason: string | null },
  ): Promise<void>;
  /**
   * A full sync that began at `since` has ended. Those whose outcome is older are due now if they were in the group or
   * server before; else they are `not_there`. Returns how many are.
   */
  settleOthers(destinationId: string, since: Date): Promise<number>;
  /** In how many milliseconds the next member is due; null if none is. */
  nextDueInMs(destinationId: string): Promise<number | null>;
  /** At most `limit` that are due, the longest first. */
  listDue(destinationId: string, limit: number): Promise<{ platformId: string; tried: number; markedAt: Date }[]>;
  /** Unless it was marked again since `markedAt`. `retryInMs` null: it is not due any more. */
  settle(
    destinationId: string,
    results: readonly {
      platformId: string;
      markedAt: Date;
      outcome: RoleOutcome;
      reason: string | null;
      retryInMs: number | null;
    }[],
  ): Promise<void>;
  outcomes(destinationId: string): Promise<Readonly<Record<RoleOutcome, number>>>;
  page(
    destinationId: string,
    options: { outcome: RoleOutcome | null; after: string | null; limit: number },
  ): Promise<Page<{ platformId: string; outcome: RoleOutcome; reason: string | null; at: Date }, string>>;
  /** For how long the member waits who has been due the longest, of all destinations; 0: nobody waits. */
  oldestDueMs(): Promise<number>;
};

/** `clanId` null means every clan. */
export type EraseRoleSyncs = (target: { clanId: string | null; platformId: string }) => Promise<void>;
