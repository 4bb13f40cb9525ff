// What is known of the roles of destinations' members, in memory, with the guarantees of MongoDB's store: each call is
// made at one moment, or not at all. Its clock is the present time.
import type { RoleOutcome } from "#domain/destination.ts";
import type { FollowDeps } from "#delivery/follow-ranks.ts";

export type FakeRoleSync = {
  platformId: string;
  outcome: RoleOutcome;
  reason: string | null;
  at: number;
  markedAt: Date;
  firstAt: number | null;
  dueAt: number | null;
  tried: number;
};

const SEEN: readonly RoleOutcome[] = ["synced", "protected", "refused"];

export type FakeRoleSyncs = ReturnType<typeof makeFakeRoleSyncs>;

export function makeFakeRoleSyncs() {
  const stored = new Map<string, Map<string, FakeRoleSync>>();
  const rowsOf = (destinationId: string): Map<string, FakeRoleSync> => {
    const rows = stored.get(destinationId) ?? new Map<string, FakeRoleSync>();
    stored.set(destinationId, rows);
    return rows;
  };
  const newRow = (platformId: string): FakeRoleSync => {
    const common = { outcome: "waiting", reason: null, firstAt: null, dueAt: null, tried: 0 } as const;
    return { platformId, at: Date.now(), markedAt: new Date(Date.now()), ...common };
  };
  const firstDue = (destinationId: string): FakeRoleSync[] =>
    [...rowsOf(destinationId).values()]
      .filter(({ dueAt }) => dueAt !== null)
      .toSorted((a, b) => Number(a.dueAt) - Number(b.dueAt));
  const isAsMarked = (row: FakeRoleSync | undefined, markedAt: Date): row is FakeRoleSync =>
    row?.markedAt.getTime() === markedAt.getTime();

  const syncs: FollowDeps["syncs"] = {
    async mark({ destinationId }, platformIds, { dueInMs, waitMsMax }) {
      const rows = rowsOf(destinationId);
      for (const platformId of platformIds) {
        const row = rows.get(platformId) ?? newRow(platformId);
        const firstAt = row.dueAt === null ? Date.now() : (row.firstAt ?? Date.now());
        const dueAt = Math.min(Date.now() + dueInMs, firstAt + waitMsMax);
        const anew = { ...newRow(platformId), at: row.at, firstAt, dueAt };
        rows.set(platformId, anew);
      }
    },
    async list({ destinationId }, platformIds) {
      const rows = rowsOf(destinationId);
      for (const platformId of platformIds) if (!rows.has(platformId)) rows.set(platformId, newRow(platformId));
    },
    async forgetListed(destinationId) {
      const rows = rowsOf(destinationId);
      for (const { platformId, outcome, dueAt } of rows.values())
        if (outcome === "waiting" && dueAt === null) rows.delete(platformId);
    },
    async forget(destinationId, members) {
      const rows = rowsOf(destinationId);
      for (const { platformId, markedAt } of members) {
        const row = rows.get(platformId);
        if (markedAt ? isAsMarked(row, markedAt) : row?.dueAt === null) rows.delete(platformId);
      }
    },
    async note(destinationId, platformIds, result) {
      for (const platformId of platformIds) {
        const row = rowsOf(destinationId).get(platformId);
        if (row?.dueAt === null) Object.assign(row, result, { at: Date.now() });
      }
    },
    async settleOthers(destinationId, since) {
      const rows = [...rowsOf(destinationId).values()].filter(({ dueAt }) => dueAt === null);
      for (const row of rows)
        if (SEEN.includes(row.outcome) && row.at < since.getTime())
          Object.assign(row, { ...newRow(row.platformId), at: row.at, dueAt: Date.now() });
        else if (row.outcome === "waiting") Object.assign(row, { outcome: "not_there", reason: null, at: Date.now() });
      return rows.filter(({ outcome, dueAt }) => outcome === "not_there" && dueAt === null).length;
    },
    async nextDueInMs(destinationId) {
      const [next] = firstDue(destinationId);
      return next ? Math.max(0, Number(next.dueAt) - Date.now()) : null;
    },
    async listDue(destinationId, limit) {
      const due = firstDue(destinationId).slice(0, limit);
      return due
        .filter(({ dueAt }) => Number(dueAt) <= Date.now())
        .map(({ platformId, tried, markedAt }) => ({ platformId, tried, markedAt }));
    },
    async settle(destinationId, results) {
      for (const { platformId, markedAt, outcome, reason, retryInMs } of results) {
        const row = rowsOf(destinationId).get(platformId);
        if (!isAsMarked(row, markedAt)) continue;
        const due = retryInMs === null ? { dueAt: null } : { dueAt: Date.now() + retryInMs, tried: row.tried + 1 };
        Object.assign(row, { outcome, reason, at: Date.now(), firstAt: null, ...due });
      }
    },
  };

  return {
    syncs,
    read: (destinationId: string, platformId: string) => rowsOf(destinationId).get(platformId),
    list: (destinationId: string) => [...rowsOf(destinationId).values()],
    /** Of an erased member. */
    erase(platformId: string): void {
      for (const rows of stored.values()) rows.delete(platformId);
    },
  };
}
