// The record of each erasure. It contains the platform ID only while the erasure is unfinished, so that another process
// can continue it.
import { makeAudited } from "#audit/store/audited.ts";
import { ALIVE, claimSilent } from "#mongo/claims.ts";
import type { Database } from "#mongo/database.ts";
import { read, rewrite } from "#mongo/mongo-calls.ts";
import type { ErasureDoc } from "#erasure/store/erasure-model.ts";
import { ofClan } from "#mongo/filters.ts";
import type { RequestDoc } from "#hooks/store/request-model.ts";
import type { Erasure, ErasureCounts, ErasureState, ErasureStore } from "#erasure/ports.ts";

const UNFINISHED = { finishedAt: null } as const;

/** Of an erasure that no process has begun: it counts as silent. */
const NEVER = new Date(0);

export function makeErasureStore({ db }: Pick<Database, "db">): ErasureStore {
  const audited = makeAudited({ db });
  const erasures = () => db().collection<ErasureDoc>("erasures");

  /** The erasure, or the one that has replaced it. */
  async function newestOf(erasureId: string): Promise<ErasureDoc | null> {
    let doc = await erasures().findOne({ _id: erasureId });
    while (doc?.replacedBy !== undefined) doc = await erasures().findOne({ _id: doc.replacedBy });
    return doc;
  }

  return {
    begin: ({ erasureId, clanId, platformId }, by, ranBy = "caller") =>
      audited(by, async (session, note) => {
        if (await erasures().findOne({ _id: erasureId }, { session })) return;
        // They may have fenced and deleted already: what was written since needs a new fence. If they ran concurrently,
        // they would delete what is written after this one.
        const replaced = { ...UNFINISHED, platformId, ...ofClan({ clanId }) };
        const counts = sumOf(await erasures().find(replaced, { session }).toArray());
        await erasures().updateMany(replaced, ended({ replacedBy: erasureId }), { session });
        const isBegun = ranBy === "caller";
        const silent = isBegun ? {} : { aliveAt: NEVER };
        const fresh = { clanId, platformId, fenced: [], counts, finishedAt: null, ...silent };
        await erasures().updateOne({ _id: erasureId }, { $setOnInsert: fresh }, { session, upsert: true });
        const dates = [{ $set: { createdAt: "$$NOW" } }, ...(isBegun ? ALIVE : [])];
        await erasures().updateOne({ _id: erasureId }, dates, { session });
        // Without the platform ID, because the audit log outlives it. Of Roblox's requests, the end is recorded.
        if (by.via === "hook") return;
        await note({ action: "member.erase", clanId, target: erasureId, before: null, after: { erasureId } });
      }),
    noteAlive: (erasureId) =>
      rewrite(async () => {
        await erasures().updateOne({ ...UNFINISHED, _id: erasureId }, ALIVE);
      }),
    claimSilent: (silentMs) =>
      rewrite(async () => {
        const doc = await claimSilent(erasures(), UNFINISHED, { agesMs: { aliveAt: silentMs }, order: "createdAt" });
        return doc && erasureOf(doc);
      }),
    finish: ({ erasureId }, clans) =>
      rewrite(async () => {
        const fencedElsewhere = { $elemMatch: { $nin: [...clans] } };
        await erasures().updateOne({ ...UNFINISHED, _id: erasureId, fenced: { $not: fencedElsewhere } }, ended({}));
        const doc = await newestOf(erasureId);
        return { counts: sumOf(doc ? [doc] : []), next: doc?.finishedAt === null ? erasureOf(doc) : null };
      }),
    read: (erasureId) =>
      read(async () => {
        const [asked, newest] = await Promise.all([erasures().findOne({ _id: erasureId }), newestOf(erasureId)]);
        return asked && newest && { clanId: asked.clanId, state: stateOf(newest), counts: sumOf([newest]) };
      }),
    unfinished: () =>
      read(async () => {
        const [count, oldest, held] = await Promise.all([
          erasures().countDocuments(UNFINISHED),
          erasures().findOne(UNFINISHED, { sort: { createdAt: 1 }, projection: { createdAt: 1 } }),
          db().collection<RequestDoc>("erasure_requests").countDocuments({ status: "held" }),
        ]);
        return { count, oldestCreatedAt: oldest?.createdAt ?? null, held };
      }),
  };
}

/** Finishing removes the member's platform ID from the record. */
function ended(facts: { replacedBy?: string }) {
  return [{ $set: { finishedAt: "$$NOW", ...facts } }, { $unset: ["platformId", "fenced", "aliveAt"] }];
}

function stateOf({ finishedAt, aliveAt }: ErasureDoc): ErasureState["state"] {
  if (finishedAt !== null) return "done";
  return aliveAt?.getTime() === NEVER.getTime() ? "waiting" : "running";
}

function sumOf(docs: readonly ErasureDoc[]): ErasureCounts {
  const sum: Record<string, number> = { entries: 0, batches: 0, reversals: 0 };
  for (const { counts = {} } of docs)
    for (const [name, count] of Object.entries(counts)) sum[name] = (sum[name] ?? 0) + count;
  return sum;
}

function erasureOf({ _id, clanId, platformId = "" }: ErasureDoc): Erasure {
  return { erasureId: _id, clanId, platformId };
}
