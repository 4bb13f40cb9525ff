// Counts of spans and their lists. A list is stored in parts, in its order, so that a place in it names a row.
import { ObjectId } from "mongodb";
import type { Database } from "#mongo/database.ts";
import { ofClan } from "#mongo/filters.ts";
import { BY_SPAN, type GainDoc, type GainRowDoc } from "#gains/store/gain-model.ts";
import { GAIN_ROWS_PER_PART } from "#mongo/bounds.ts";
import { MAJORITY, read, rewrite } from "#mongo/mongo-calls.ts";
import { mongoTimeAgo } from "#mongo/mongo-time.ts";
import { idsUnder } from "#mongo/ranges.ts";
import type { MemberRef } from "#domain/member-id.ts";
import { chunks } from "#async/chunks.ts";
import type { GainCount, GainCounts, GainRow } from "#gains/ports.ts";

export function makeGainCounts({ db }: Pick<Database, "db">): GainCounts {
  const gains = () => db().collection<GainDoc>("gains");
  const now = (): Promise<Date> => mongoTimeAgo({ db }, 0);

  return {
    now: () => read(now),

    newest: (clanId, { from, to }) =>
      read(async () => {
        const at = await now();
        const doc = await gains().findOne({ clanId, from, to }, { ...MAJORITY, hint: BY_SPAN, sort: BY_SPAN });
        return { count: doc && countOf(doc), now: at };
      }),

    read: (clanId, countId) =>
      read(async () => {
        const doc = await gains().findOne({ _id: countId, clanId, asOf: { $exists: true } }, MAJORITY);
        return doc && countOf(doc);
      }),

    rows: ({ countId }, from, to) =>
      read(async () => {
        if (from >= to) return [];
        const [first, last] = [partOf(from), partOf(to - 1)];
        const ids = Array.from({ length: last - first + 1 }, (_, index) => partId(countId, first + index));
        const parts = await gains()
          .find({ _id: { $in: ids } }, { ...MAJORITY, sort: { _id: 1 } })
          .toArray();
        const rows = parts.flatMap(({ members = [] }) => members.map(rowOf));
        return rows.slice(from - first * GAIN_ROWS_PER_PART, to - first * GAIN_ROWS_PER_PART);
      }),

    places: ({ countId }, platformIds) =>
      read(async () => {
        const wanted = new Set(platformIds);
        const parts = await gains()
          .find({ "members.platformId": { $in: [...wanted] }, _id: idsUnder(countId) }, MAJORITY)
          .toArray();
        return new Map(
          parts.flatMap(({ _id, members = [] }) =>
            members.flatMap((doc, index) => {
              const row = doc && wanted.has(doc.platformId) ? rowOf(doc) : null;
              const place = Number(_id.slice(countId.length + 1)) * GAIN_ROWS_PER_PART + index;
              return row ? [[row.platformId, { place, row }] as const] : [];
            }),
          ),
        );
      }),

    storeRows: ({ countId, clanId, expiresAt }, first, rows) =>
      rewrite(async () => {
        const docs = [...chunks(rows, GAIN_ROWS_PER_PART)].map((part, index): GainDoc => {
          return { _id: partId(countId, partOf(first) + index), clanId, expiresAt, members: part.map(docOfRow) };
        });
        if (docs.length > 0) await gains().insertMany(docs);
      }),

    store: ({ countId, totals, ...count }) =>
      rewrite(async () => {
        const sums = totals && { ...totals, xp: totals.xp.toString() };
        await gains().insertOne({ _id: countId, ...count, totals: sums });
      }),
  };
}

/** The places of a person remain, so that positions and totals do not change. */
export function makeEraseGains({ db }: Pick<Database, "db">) {
  return ({ clanId, platformId }: Pick<MemberRef, "platformId"> & { clanId: string | null }): Promise<void> =>
    rewrite(async () => {
      const gains = db().collection<GainDoc>("gains");
      const options = { arrayFilters: [{ "own.platformId": platformId }] };
      await gains.updateMany(
        { "members.platformId": platformId, ...ofClan({ clanId }) },
        { $set: { "members.$[own]": null } },
        options,
      );
    });
}

export function newCountId(): string {
  return new ObjectId().toHexString();
}

function partId(countId: string, part: number): string {
  return `${countId}/${String(part).padStart(6, "0")}`;
}

function partOf(place: number): number {
  return Math.floor(place / GAIN_ROWS_PER_PART);
}

function countOf({ _id, clanId, expiresAt, totals, ...doc }: GainDoc): GainCount {
  const { from = expiresAt, to = expiresAt, asOf = new Date(0), tookMs = 0 } = doc;
  const sums = totals ? { ...totals, xp: BigInt(totals.xp) } : null;
  return { countId: _id, clanId, from, to, asOf, tookMs, expiresAt, totals: sums };
}

function docOfRow(row: GainRow | null): GainRowDoc | null {
  if (!row) return null;
  const { platformId, xp, awards, position, membership, firstAwardAt: first, lastAwardAt: last } = row;
  return { platformId, xp: xp.toString(), awards, position, since: membership?.since ?? null, first, last };
}

function rowOf(doc: GainRowDoc | null): GainRow | null {
  if (!doc) return null;
  const { platformId, xp, awards, position, since, first, last } = doc;
  const times = { firstAwardAt: first, lastAwardAt: last };
  return { platformId, xp: BigInt(xp), awards, position, membership: since && { since }, ...times };
}
