// Sums up a clan's entries by parts of the time, by the index (clan, at).
import type { Db } from "mongodb";
import { CANCELLATION, importKey } from "#domain/award-key.ts";
import { ACTIVITY_DAYS } from "#mongo/bounds.ts";
import type { EntryDoc } from "#ledger/store/entry-model.ts";
import { amongIds, BY_ID } from "#ledger/store/ledger-filters.ts";
import { NO_FENCE } from "#mongo/filters.ts";
import { groupsOf, MAJORITY } from "#mongo/mongo-calls.ts";
import type { Cell, Period, TakenBack } from "#activity/ports.ts";

type Source = "xp" | "byHand" | "imported" | "other";
type AwardRef = { platformId: string; seq: number };
/** Sums of entries of one source in a part of the time. With `award`: one reversal, and the award that it takes back. */
type GroupDoc = {
  _id: { at: Date; source: Source; award?: AwardRef };
  entries: number;
  applied: bigint | number;
  joined: number;
};

/** A cell while its entries are added; what was taken back, by the part of the time of the awards. */
type Growing = Omit<Cell, "takenBack"> & { takenBack: Map<number, TakenBack> };

const NOTHING = { xp: 0n, byHand: 0n, imported: 0n } as const;
const [MINUTE_MS, DAY_MS] = [60_000, 86_400_000];
/** Also reversals whose awards are read together. */
const GROUPS_TOGETHER = 1_000;

const isMissing = (field: string) => ({ $eq: [{ $type: field }, "missing"] });
/** An entry of another kind, or that cancels an award, is no award. */
const IS_AWARD = { $and: [isMissing("$kind"), { $ne: ["$fingerprint", CANCELLATION] }] };
/** Version 0.2.0 stored no names of imports. */
const IS_OLD_IMPORT = { $eq: [{ $indexOfBytes: ["$key", importKey("xp", "")] }, 0] };
const IS_IMPORTED = { $or: [{ $ne: [{ $type: "$importName" }, "missing"] }, IS_OLD_IMPORT] };
const BY_PERSON = { $cond: [IS_IMPORTED, "imported", "byHand"] };
const SOURCE = { $cond: [IS_AWARD, { $cond: [isMissing("$actor"), "xp", BY_PERSON] }, "other"] };
const REVERSED = { platformId: "$_id.platformId", seq: "$reversesSeq" };

/** Oldest first; only parts with an entry. */
export async function cellsOf(
  db: Db,
  { clanId, minutes, maxTimeMS, from, to }: Period & { clanId: string; minutes: number; maxTimeMS: number },
): Promise<Cell[]> {
  const groups = db.collection<EntryDoc>("ledger").aggregate<GroupDoc>(
    [
      { $match: { "_id.clanId": clanId, at: { $gte: from, $lt: to }, ...NO_FENCE } },
      {
        $group: {
          _id: {
            at: { $dateTrunc: { date: "$at", unit: "minute", binSize: minutes } },
            source: SOURCE,
            award: { $cond: [{ $eq: ["$kind", "reversal"] }, REVERSED, "$$REMOVE"] },
          },
          entries: { $sum: 1 },
          applied: { $sum: "$applied" },
          joined: { $sum: { $cond: [{ $eq: ["$_id.seq", 1] }, 1, 0] } },
        },
      },
    ],
    { ...MAJORITY, maxTimeMS, batchSize: GROUPS_TOGETHER },
  );
  const cells = new Map<number, Growing>();
  for await (const group of groupsOf(groups)) {
    for (const doc of group) addTo(cells, doc);
    await takeBack(db, { clanId, minutes, from }, { cells, group });
  }
  return [...cells.values()]
    .map(({ takenBack, ...cell }) => ({ ...cell, takenBack: [...takenBack.values()] }))
    .toSorted((a, b) => a.startMs - b.startMs);
}

function addTo(cells: Map<number, Growing>, { _id: { at, source }, entries, applied, joined }: GroupDoc): void {
  const startMs = at.getTime();
  const cell: Growing = cells.get(startMs) ?? { startMs, awards: 0, joined: 0, ...NOTHING, takenBack: new Map() };
  cells.set(startMs, cell);
  cell.joined += joined;
  if (source === "xp") cell.awards += entries;
  if (source !== "other") cell[source] += BigInt(applied);
}

/** Adds what reversals took back. They have the source of their award. Awards that are in no range are left out. */
async function takeBack(
  db: Db,
  { clanId, minutes, from }: { clanId: string; minutes: number; from: Date },
  { cells, group }: { cells: ReadonlyMap<number, Growing>; group: readonly GroupDoc[] },
): Promise<void> {
  const reversals = new Map(group.flatMap((doc) => (doc._id.award ? [[keyOf(doc._id.award), doc] as const] : [])));
  if (reversals.size === 0) return;
  const ids = group.flatMap(({ _id: { award } }) => (award ? [{ clanId, ...award }] : []));
  const inRanges = { at: { $gte: new Date(from.getTime() - ACTIVITY_DAYS * DAY_MS) } };
  const awards = await db
    .collection<EntryDoc>("ledger")
    .find({ ...amongIds(ids), ...inRanges }, { ...MAJORITY, hint: BY_ID })
    .project<Pick<EntryDoc, "_id" | "at"> & { source: Source }>({ at: 1, source: SOURCE })
    .toArray();
  for (const { _id, at, source } of awards) {
    const reversal = reversals.get(keyOf(_id));
    if (!reversal || source === "other") continue;
    const takenBack = cells.get(reversal._id.at.getTime())?.takenBack;
    if (!takenBack) continue;
    const partMs = minutes * MINUTE_MS;
    const startMs = Math.floor(at.getTime() / partMs) * partMs;
    const part: TakenBack = takenBack.get(startMs) ?? { startMs, ...NOTHING };
    takenBack.set(startMs, part);
    part[source] += BigInt(reversal.applied);
  }
}

function keyOf({ platformId, seq }: AwardRef): string {
  return `${platformId}/${seq}`;
}
