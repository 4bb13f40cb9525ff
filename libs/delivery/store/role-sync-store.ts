// What became of members' roles elsewhere, and whose are to be compared.
//
// Only `mark` and `list` add a member. Their callers read the member's rank afterwards, and remove the member if nothing
// is stored of them: therefore an erasure, which deletes the documents last, leaves none. If a process ends in between,
// another one does so: who was marked is due, and the next full sync forgets those who were only listed.
import type { AnyBulkWriteOperation, Collection } from "mongodb";
import { roleOutcomes, type RoleOutcome } from "#domain/destination.ts";
import type { Database } from "#mongo/database.ts";
import { BY_DUE, BY_OUTCOME, type RoleSyncDoc } from "#delivery/store/role-sync-model.ts";
import { ofClan } from "#mongo/filters.ts";
import { read, rewrite } from "#mongo/mongo-calls.ts";
import type { EraseRoleSyncs, RoleSyncStore } from "#delivery/role-sync-ports.ts";

const MAJORITY = { readConcern: { level: "majority" } } as const;
const IS_LISTED_DUE = { dueAt: { $exists: true } } as const;
const IS_NOT_DUE = { dueAt: { $exists: false } } as const;
/** Documents that one statement changes: some hundred milliseconds. */
const SETTLED_AT_ONCE = 5_000;
/** Outcomes of people who are in the group or server. */
const SEEN: RoleOutcome[] = ["synced", "protected", "refused"];

type Opened = Pick<Database, "db">;

// oxlint-disable-next-line eslint/max-lines-per-function -- a list of reads and writes of one record
export function makeRoleSyncStore({ db }: Opened): RoleSyncStore {
  const syncs = () => syncsIn({ db });

  async function write(operations: AnyBulkWriteOperation<RoleSyncDoc>[]): Promise<void> {
    if (operations.length > 0) await rewrite(() => syncs().bulkWrite(operations, { ordered: false }));
  }

  /** Changes all documents that this filter matches, until none is left. */
  async function updateAll(filter: object, update: object[]): Promise<void> {
    for (let found = SETTLED_AT_ONCE; found === SETTLED_AT_ONCE;) {
      const options = { projection: { _id: 1 }, limit: SETTLED_AT_ONCE } as const;
      const ids = (await read(() => syncs().find(filter, options).hint(BY_OUTCOME).toArray())).map(({ _id }) => _id);
      found = ids.length;
      if (found > 0) await rewrite(() => syncs().updateMany({ ...filter, _id: { $in: ids } }, update));
    }
  }

  /** The first ones that are listed as due, with how long they still have to wait. */
  function firstDue(destinationId: string, limit: number) {
    const stages = [
      { $match: { destinationId, ...IS_LISTED_DUE } },
      { $sort: { dueAt: 1 } },
      { $limit: limit },
      { $project: { _id: 0, platformId: 1, tried: 1, markedAt: 1, inMs: { $subtract: ["$dueAt", "$$NOW"] } } },
    ];
    type FirstDue = { platformId: string; tried: number; markedAt: Date; inMs: bigint };
    return read(() =>
      syncs()
        .aggregate<FirstDue>(stages, { ...MAJORITY, hint: BY_DUE })
        .toArray(),
    );
  }

  return {
    mark: (destination, platformIds, { dueInMs, waitMsMax }) => {
      const set = [
        { $set: { firstAt: { $cond: [{ $eq: [{ $type: "$dueAt" }, "missing"] }, "$$NOW", orNow("$firstAt")] } } },
        {
          $set: {
            ...DUE_ANEW,
            at: orNow("$at"),
            dueAt: { $min: [{ $add: ["$$NOW", dueInMs] }, { $add: ["$firstAt", waitMsMax] }] },
          },
        },
        { $unset: "reason" },
      ];
      return write(platformIds.map((platformId) => upsert(destination, platformId, set)));
    },

    async list(destination, platformIds) {
      const { destinationId } = destination;
      const _id = { $in: platformIds.map((platformId) => idOf(destinationId, platformId)) };
      const found = await read(() =>
        syncs()
          .find({ _id }, { projection: { platformId: 1 } })
          .toArray(),
      );
      const listed = new Set(found.map(({ platformId }) => platformId));
      const set = [
        {
          $set: {
            outcome: { $ifNull: ["$outcome", "waiting"] },
            at: orNow("$at"),
            markedAt: orNow("$markedAt"),
            tried: { $ifNull: ["$tried", 0] },
          },
        },
      ];
      const others = platformIds.filter((platformId) => !listed.has(platformId));
      await write(others.map((platformId) => upsert(destination, platformId, set)));
    },

    async forgetListed(destinationId) {
      const listed = { destinationId, outcome: "waiting", ...IS_NOT_DUE } as const;
      await rewrite(() => syncs().deleteMany(listed, { hint: BY_OUTCOME }));
    },

    forget: (destinationId, members) =>
      write(
        members.map(({ platformId, markedAt }) => ({
          deleteOne: { filter: { _id: idOf(destinationId, platformId), ...(markedAt ? { markedAt } : IS_NOT_DUE) } },
        })),
      ),

    note: (destinationId, platformIds, { outcome, reason }) =>
      write([
        {
          updateMany: {
            filter: { _id: { $in: platformIds.map((platformId) => idOf(destinationId, platformId)) }, ...IS_NOT_DUE },
            update: outcomeStages(outcome, reason),
          },
        },
      ]),

    async settleOthers(destinationId, since) {
      const wereSeen = { destinationId, outcome: { $in: SEEN }, at: { $lt: since }, ...IS_NOT_DUE };
      await updateAll(wereSeen, [{ $set: { ...DUE_ANEW, dueAt: "$$NOW" } }, { $unset: "reason" }]);
      await updateAll({ destinationId, outcome: "waiting", ...IS_NOT_DUE }, outcomeStages("not_there", null));
      const absent = { destinationId, outcome: "not_there", ...IS_NOT_DUE } as const;
      return await read(() => syncs().countDocuments(absent, { hint: BY_OUTCOME }));
    },

    async listDue(destinationId, limit) {
      const listed = await firstDue(destinationId, limit);
      return listed
        .filter(({ inMs }) => inMs <= 0)
        .map(({ platformId, tried, markedAt }) => ({ platformId, tried, markedAt }));
    },

    async nextDueInMs(destinationId) {
      const [next] = await firstDue(destinationId, 1);
      return next ? Math.max(0, Number(next.inMs)) : null;
    },

    settle: (destinationId, results) =>
      write(
        results.map(({ platformId, markedAt, outcome, reason, retryInMs }) => {
          const filter = { _id: idOf(destinationId, platformId), markedAt };
          const again = { dueAt: { $add: ["$$NOW", retryInMs] }, tried: { $add: ["$tried", 1] } };
          const due = retryInMs === null ? { $unset: "dueAt" } : { $set: again };
          return { updateOne: { filter, update: [...outcomeStages(outcome, reason), due, { $unset: "firstAt" }] } };
        }),
      ),

    outcomes: (destinationId) =>
      read(async () => {
        const stages = [{ $match: { destinationId } }, { $group: { _id: "$outcome", members: { $sum: 1 } } }];
        const found = await syncs()
          .aggregate<{ _id: RoleOutcome; members: number }>(stages, { hint: BY_OUTCOME })
          .toArray();
        const counts = new Map(found.map(({ _id, members }) => [_id, members]));
        return Object.fromEntries(roleOutcomes.map((outcome) => [outcome, counts.get(outcome) ?? 0])) as Record<
          RoleOutcome,
          number
        >;
      }),

    page: (destinationId, { outcome, after, limit }) =>
      read(async () => {
        const [filter, sort] =
          outcome === null
            ? [{ _id: { $gt: idOf(destinationId, after ?? ""), $lt: idOf(destinationId, LAST) } }, { _id: 1 } as const]
            : [{ destinationId, outcome, platformId: { $gt: after ?? "" } }, { platformId: 1 } as const];
        const docs = await syncs()
          .find(filter)
          .sort(sort)
          .limit(limit + 1)
          .toArray();
        const items = docs
          .slice(0, limit)
          .map(({ platformId, outcome: of, reason = null, at }) => ({ platformId, outcome: of, reason, at }));
        return { items, next: docs.length > limit ? (items.at(-1)?.platformId ?? null) : null };
      }),

    oldestDueMs: () =>
      read(async () => {
        const project = { _id: 0, ms: { $subtract: ["$$NOW", "$dueAt"] } };
        const stages = [{ $match: IS_LISTED_DUE }, { $sort: { dueAt: 1 } }, { $limit: 1 }, { $project: project }];
        const [oldest] = await syncs().aggregate<{ ms: bigint }>(stages).toArray();
        return Math.max(0, Number(oldest?.ms ?? 0));
      }),
  };
}

/** For an erasure, after which nothing of the member is stored. */
export function makeEraseRoleSyncs({ db }: Opened): EraseRoleSyncs {
  return async ({ clanId, platformId }) => {
    await rewrite(() => syncsIn({ db }).deleteMany({ platformId, ...ofClan({ clanId }) }));
  };
}

function syncsIn({ db }: Opened): Collection<RoleSyncDoc> {
  return db().collection<RoleSyncDoc>("syncs");
}

/** Sorts after all characters of platform IDs. */
const LAST = "\u007f";
const DUE_ANEW = { outcome: "waiting", markedAt: "$$NOW", tried: 0 } as const;

function idOf(destinationId: string, platformId: string): string {
  return `${destinationId}/${platformId}`;
}

function orNow(field: string): object {
  return { $ifNull: [field, "$$NOW"] };
}

function upsert(
  { destinationId, clanId }: { destinationId: string; clanId: string },
  platformId: string,
  update: object[],
) {
  const ids = { destinationId, clanId: { $literal: clanId }, platformId: { $literal: platformId } };
  const filter = { _id: idOf(destinationId, platformId) };
  return { updateOne: { filter, update: [{ $set: ids }, ...update], upsert: true } };
}

function outcomeStages(outcome: RoleOutcome, reason: string | null): object[] {
  const text = reason === null ? { $unset: "reason" } : { $set: { reason: { $literal: reason } } };
  return [{ $set: { outcome, at: "$$NOW" } }, text];
}
