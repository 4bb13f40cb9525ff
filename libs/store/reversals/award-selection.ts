// Finds awards in the ledger for corrections: in steps of a bounded number of entries, newest first, each from an
// index.
//
// Invariant: a step ends between two milliseconds (or two entries of a member), never within one. So steps neither
// overlap nor leave a gap.
import type { mongo } from "mongoose";
import { CANCELLATION } from "#domain/award-key.ts";
import type { Database } from "#store/database.ts";
import { read as readInTime } from "#store/mongo-calls.ts";
import type { EntryDoc } from "#store/awards/entry-model.ts";
import type { AwardSelection, SelectedAward } from "#usecases/reversals/ports.ts";
import type { Selection } from "#domain/reversal.ts";

type Step = Awaited<ReturnType<AwardSelection["read"]>>;
type Found = Pick<EntryDoc, "_id" | "key" | "applied" | "at" | "kind" | "batchId" | "fingerprint" | "erasing">;
/** Where a step begins, and how many entries it reads. */
type Part = { position: number; entries: number };
type Span = { clanId: string; from: Date; until: Date };

const FIELDS = { key: 1, applied: 1, at: 1, kind: 1, batchId: 1, fingerprint: 1, erasing: 1 } as const;
const MAJORITY = { readConcern: { level: "majority" } } as const;
const BY_TIME = { "_id.clanId": 1, at: 1 } as const;

/** `entriesPerStep`: how many entries a step reads, unless its caller requests fewer. */
export function makeAwardSelection({ db }: Pick<Database, "db">, entriesPerStep: number): AwardSelection {
  const ledger = () => db().collection<EntryDoc>("ledger");

  function find(filter: mongo.Filter<EntryDoc>) {
    return ledger().find<Found>(filter, { ...MAJORITY, projection: FIELDS });
  }

  async function ofTime(span: Span, filter: mongo.Filter<EntryDoc>, { position, entries }: Part): Promise<Step> {
    const { clanId } = span;
    const until = new Date(Math.min(span.until.getTime(), position));
    const inSpan = { "_id.clanId": clanId, at: { $gte: span.from, $lt: until } };
    // From the index alone: the time of the first entry beyond the step.
    const [beyond] = await ledger()
      .find<{ at: Date }>(inSpan, { ...MAJORITY, projection: { _id: 0, at: 1 }, hint: BY_TIME })
      .sort({ at: -1 })
      .skip(entries)
      .limit(1)
      .toArray();
    // If the last millisecond alone has more entries than a step, it is read completely.
    const from = beyond ? new Date(Math.min(beyond.at.getTime() + 1, until.getTime() - 1)) : span.from;
    const found = await find({ ...filter, "_id.clanId": clanId, at: { $gte: from, $lt: until } })
      .hint(BY_TIME)
      .toArray();
    return { awards: awardsIn(found), next: beyond ? from.getTime() : null };
  }

  async function ofMember({ platformId, ...span }: Span & { platformId: string }, part: Part): Promise<Step> {
    const { position, entries } = part;
    const { clanId, from, until } = span;
    const range = { $gt: { clanId, platformId, seq: 0 }, $lt: { clanId, platformId, seq: position } };
    const found = await find({ _id: range }).sort({ _id: -1 }).limit(entries).toArray();
    const last = found.length === entries ? found.at(-1) : undefined;
    const inTime = found.filter(({ at }) => at >= from && at < until);
    return { awards: awardsIn(inTime), next: last?._id.seq ?? null };
  }

  async function readStep(selection: Selection, part: Part): Promise<Step> {
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
      case "member": {
        const { platformId, byTime } = selection;
        return byTime ? ofTime(selection, { "_id.platformId": platformId }, part) : ofMember(selection, part);
      }
    }
  }

  return {
    read: (selection, position, entriesMax = entriesPerStep) =>
      readInTime(() => readStep(selection, { position, entries: Math.min(entriesMax, entriesPerStep) })),
    ...makeNewest({ db }),
  };
}

/** Where a selection of everything until now begins. */
function makeNewest({ db }: Pick<Database, "db">): Omit<AwardSelection, "read"> {
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
        const newest = await ledger().findOne(
          { _id: range },
          { ...MAJORITY, sort: { _id: -1 }, projection: { _id: 1 } },
        );
        return newest?._id.seq ?? 0;
      }),
    hasFewer: ({ clanId, from, until }, entries) =>
      readInTime(async () => {
        // From the index alone.
        const inSpan = { "_id.clanId": clanId, at: { $gte: from, $lt: until } };
        const options = { ...MAJORITY, projection: { _id: 0, at: 1 }, skip: entries - 1, hint: BY_TIME } as const;
        return entries > 0 && (await ledger().findOne(inSpan, options)) === null;
      }),
  };
}

/** Newest first within each member. Only awards can be reversed, but not an entry that replaces a cancelled award. */
function awardsIn(found: readonly Found[]): SelectedAward[] {
  return found
    .filter(
      ({ kind, erasing, batchId, fingerprint }) =>
        kind === undefined && !erasing && (batchId === undefined || fingerprint !== CANCELLATION),
    )
    .map(({ _id, key, applied }) => ({ platformId: _id.platformId, seq: _id.seq, key, applied }))
    .sort((a, b) => b.seq - a.seq);
}
