// Finds awards in the ledger for corrections: in steps of a bounded number of entries, newest first, each from an
// index.
//
// Invariant: unless it is one of members (read-of-members.ts), a step ends between two milliseconds (or two entries
// of a member), never within one. So steps neither overlap nor leave a gap. A millisecond with more entries than a
// step is one step of several reads.
import type { Collection, Filter, FindCursor } from "mongodb";
import { CANCELLATION, importKey } from "#domain/award-key.ts";
import { giverOf } from "#domain/moderator.ts";
import type { Database } from "#mongo/database.ts";
import { MAJORITY, read as readInTime } from "#mongo/mongo-calls.ts";
import { BY_TIME, type EntryDoc } from "#ledger/store/entry-model.ts";
import { makeReadOfMembers } from "#reversals/store/read-of-members.ts";
import { BY_ID, idsOfMember } from "#ledger/store/ledger-filters.ts";
import { timeBeyond } from "#ledger/store/time-beyond.ts";
import type { ReversalDoc } from "#reversals/store/reversal-model.ts";
import type { AwardSelection, EntryRef, SelectedAward } from "#reversals/ports.ts";
import type { Selection } from "#domain/reversal.ts";

type OfEntries = Exclude<Selection, { kind: "reset" }>;
type Step = Awaited<ReturnType<AwardSelection["read"]>>;
type Found = Pick<
  EntryDoc,
  "_id" | "key" | "applied" | "at" | "kind" | "batchId" | "fingerprint" | "erasing" | "apiKeyId" | "actor"
>;
/** Where a step begins, how many entries one read returns, and the entry after which it continues. */
type Part = { position: number; entries: number; after: EntryRef | undefined };
type Span = { clanId: string; from: Date; until: Date };
type Find = (filter: Filter<EntryDoc>) => FindCursor<Found>;

const FIELDS = {
  key: 1,
  applied: 1,
  at: 1,
  kind: 1,
  batchId: 1,
  fingerprint: 1,
  erasing: 1,
  apiKeyId: 1,
  actor: 1,
} as const satisfies Partial<Record<keyof Found, 1>>;

/** `entriesPerStep`: how many entries a step reads, unless its caller requests fewer. */
export function makeAwardSelection({ db }: Pick<Database, "db">, entriesPerStep: number): AwardSelection {
  const ledger = () => db().collection<EntryDoc>("ledger");
  const find: Find = (filter) => ledger().find<Found>(filter, { ...MAJORITY, projection: FIELDS });
  const ofTime = makeReadOfTime(ledger, find);
  const ofMembers = makeReadOfMembers({ db });

  async function ofMember({ platformId, ...span }: Span & { platformId: string }, part: Part): Promise<Step> {
    const { position, entries } = part;
    const { clanId, from, until } = span;
    const range = { $gt: { clanId, platformId, seq: 0 }, $lt: { clanId, platformId, seq: position } };
    const found = await find(idsOfMember({ clanId, platformId }, range))
      .hint(BY_ID)
      .sort({ _id: -1 })
      .limit(entries)
      .toArray();
    const last = found.length === entries ? found.at(-1) : undefined;
    const inTime = found.filter(({ at }) => at >= from && at < until);
    return { awards: awardsIn(inTime), next: last?._id.seq ?? null };
  }

  async function readStep(selection: OfEntries, part: Part): Promise<Step> {
    const { clanId } = selection;
    switch (selection.kind) {
      case "award": {
        const { platformId, seq } = selection;
        return { awards: awardsIn(await find({ _id: { clanId, platformId, seq } }).toArray()), next: null };
      }
      case "batch": {
        // At most 500 awards.
        const { batchId } = selection;
        return {
          awards: awardsIn(await find({ batchId, "_id.clanId": clanId }).hint({ batchId: 1 }).toArray()),
          next: null,
        };
      }
      case "key":
        return ofTime(selection, { apiKeyId: selection.keyId }, part);
      case "match":
        return ofTime(selection, { "source.matchId": selection.matchId }, part);
      case "import": {
        // By the key, too: version 0.2.0 stored the name of an import there alone, of lines without a key.
        const { importName } = selection;
        return ofTime(selection, { $or: [{ importName }, { key: importKey("xp", importName) }] }, part);
      }
      case "member": {
        const { platformId, byTime } = selection;
        return byTime ? ofTime(selection, { "_id.platformId": platformId }, part) : ofMember(selection, part);
      }
    }
  }

  return {
    read: (selection, position, { entriesMax = entriesPerStep, after } = {}) =>
      readInTime(() => {
        const entries = Math.min(entriesMax, entriesPerStep);
        return selection.kind === "reset" || selection.kind === "xp"
          ? ofMembers(selection, { after: String(position), limit: entries })
          : readStep(selection, { position: Number(position), entries, after });
      }),
    ...makeReadOfResets({ db }),
    ...makeNewest({ db }),
  };
}

/** Steps between two times, from the index by time. */
function makeReadOfTime(ledger: () => Collection<EntryDoc>, find: Find) {
  return async function ofTime(span: Span, filter: Filter<EntryDoc>, part: Part): Promise<Step> {
    const { clanId } = span;
    const until = new Date(Math.min(span.until.getTime(), part.position));
    if (part.after) return ofMillisecond({ clanId, at: lastBefore(until) }, filter, part);
    const beyond = await timeBeyond(ledger(), { clanId, from: span.from, until }, part.entries);
    if (beyond && beyond >= lastBefore(until)) return ofMillisecond({ clanId, at: beyond }, filter, part);
    const from = beyond ? new Date(beyond.getTime() + 1) : span.from;
    const found = await find({ ...filter, "_id.clanId": clanId, at: { $gte: from, $lt: until } })
      .hint(BY_TIME)
      .toArray();
    return { awards: awardsIn(found), next: beyond ? from.getTime() : null };
  };

  /** In the order of the entries' ids, which no erasure changes. */
  async function ofMillisecond(
    { clanId, at }: { clanId: string; at: Date },
    filter: Filter<EntryDoc>,
    { entries, after }: Part,
  ): Promise<Step> {
    const { platformId = "", seq = 0 } = after ?? {};
    const found = await find({
      ...filter,
      "_id.clanId": clanId,
      at,
      ...(after && { _id: { $lt: { clanId, platformId, seq } } }),
    })
      .hint(BY_TIME)
      .sort({ _id: -1 })
      .limit(entries)
      .toArray();
    const last = found.length === entries ? found.at(-1)?._id : undefined;
    return { awards: awardsIn(found), next: at.getTime(), ...(last && { after: last }) };
  }
}

const lastBefore = (until: Date): Date => new Date(until.getTime() - 1);

function makeReadOfResets({ db }: Pick<Database, "db">): Pick<AwardSelection, "resetState" | "isResetBlocked"> {
  const resets = () => db().collection<ReversalDoc>("reversals");
  const ofClan = (clanId: string) => ({ clanId, "selection.kind": "xp" }) as const;

  return {
    resetState: ({ clanId, resetId }) =>
      readInTime(async () => (await resets().findOne({ _id: resetId, ...ofClan(clanId) }, MAJORITY))?.state ?? null),
    isResetBlocked: ({ clanId, resetId }) =>
      readInTime(async () => {
        const other = { ...ofClan(clanId), _id: { $ne: resetId }, state: { $in: ["queued", "running"] } } as const;
        const first = [{ state: "running" as const }, { _id: { $lt: resetId } }];
        return (await resets().findOne({ $and: [other, { $or: first }] }, MAJORITY)) !== null;
      }),
  };
}

/** Where a selection of everything until now begins. */
function makeNewest({ db }: Pick<Database, "db">): Pick<AwardSelection, "newestAt" | "newestSeq" | "hasFewer"> {
  const ledger = () => db().collection<EntryDoc>("ledger");

  return {
    newestAt: (clanId) =>
      readInTime(async () => {
        const options = { ...MAJORITY, projection: { _id: 0, at: 1 }, sort: { at: -1 }, hint: BY_TIME } as const;
        return (await ledger().findOne<{ at: Date }>({ "_id.clanId": clanId }, options))?.at ?? null;
      }),
    newestSeq: ({ clanId, platformId }) =>
      readInTime(async () => {
        const range = {
          $gt: { clanId, platformId, seq: 0 },
          $lt: { clanId, platformId, seq: Number.MAX_SAFE_INTEGER },
        };
        const newest = await ledger().findOne(idsOfMember({ clanId, platformId }, range), {
          ...MAJORITY,
          sort: { _id: -1 },
          projection: { _id: 1 },
          hint: BY_ID,
        });
        return newest?._id.seq ?? 0;
      }),
    hasFewer: (span, entries) =>
      readInTime(async () => entries > 0 && (await timeBeyond(ledger(), span, entries - 1)) === null),
  };
}

/** Newest first within each member. Only awards can be reversed, but not an entry that replaces a cancelled award. */
function awardsIn(found: readonly Found[]): SelectedAward[] {
  return found
    .filter(
      ({ kind, erasing, batchId, fingerprint }) =>
        kind === undefined && !erasing && (batchId === undefined || fingerprint !== CANCELLATION),
    )
    .map(({ _id: { platformId, seq }, key, applied, apiKeyId: keyId, actor }) => {
      return { platformId, seq, key, applied, giver: giverOf({ actor, keyId }) };
    })
    .sort((a, b) => b.seq - a.seq);
}
