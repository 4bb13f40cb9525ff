// Finds in which clans something is stored of people, before they are erased there.
import type { Filter } from "mongodb";
import { memberIdOf, type MemberRef } from "#domain/member-id.ts";
import { chunks } from "#async/chunks.ts";
import type { BatchDoc } from "#batches/store/batch-model.ts";
import { batchWindows } from "#batches/store/batch-windows.ts";
import { IDS_PER_READ_MAX } from "#mongo/bounds.ts";
import type { Database } from "#mongo/database.ts";
import type { EntryDoc } from "#ledger/store/entry-model.ts";
import { amongIds, BY_ID } from "#ledger/store/ledger-filters.ts";
import type { MemberDoc } from "#ledger/store/member-model.ts";
import { read } from "#mongo/mongo-calls.ts";
import type { NameDoc } from "#names/store/name-model.ts";
import type { ReversalDoc } from "#reversals/store/reversal-model.ts";
import type { FindStored } from "#hooks/ports.ts";

const PAIR = { _id: 0, clanId: 1, platformId: 1 } as const;

export function makeFindStored({ db }: Pick<Database, "db">): FindStored {
  const members = () => db().collection<MemberDoc>("members");
  const names = () => db().collection<NameDoc>("names");
  const ledger = () => db().collection<EntryDoc>("ledger");

  /** The document of a member follows their first entry by seconds. */
  async function membersAmong(refs: readonly MemberRef[]): Promise<MemberRef[]> {
    const these = { _id: { $in: refs.map(memberIdOf) } };
    const first = amongIds(refs.map(({ clanId, platformId }) => ({ clanId, platformId, seq: 1 })));
    const [stored, named, begun] = await Promise.all([
      members().find<MemberRef>(these, { projection: PAIR }).toArray(),
      names().find<MemberRef>(these, { projection: PAIR }).toArray(),
      ledger()
        .find<Pick<EntryDoc, "_id">>(first, { projection: { _id: 1 }, hint: BY_ID })
        .toArray(),
    ]);
    return [...stored, ...named, ...begun.map(({ _id }) => _id)];
  }

  /** Batches name people who are no members, too; no index contains them. */
  async function* inBatches(clanIds: readonly string[], platformIds: readonly string[]): AsyncGenerator<MemberRef[]> {
    const among = { $in: [...platformIds] };
    const $match = {
      clanId: { $in: [...clanIds] },
      $or: [{ "awards.platformId": among }, { "outcomes.platformId": among }],
    };
    const all = { $setUnion: [{ $ifNull: ["$awards.platformId", []] }, { $ifNull: ["$outcomes.platformId", []] }] };
    const platformId = { $setIntersection: [all, { $literal: [...platformIds] }] };
    const group = { _id: { clanId: "$clanId", platformId: "$platformId" } };
    for await (const window of batchWindows({ db })) {
      const pipeline = [
        { $match: { _id: window, ...$match } },
        { $project: { clanId: 1, platformId } },
        { $unwind: "$platformId" },
        { $group: group },
      ];
      const found = db().collection<BatchDoc>("batches").aggregate<{ _id: MemberRef }>(pipeline);
      yield (await read(() => found.toArray())).map(({ _id }) => _id);
    }
  }

  async function inReversals(clanIds: readonly string[], platformIds: readonly string[]): Promise<MemberRef[]> {
    const these: Filter<ReversalDoc> = {
      clanId: { $in: [...clanIds] },
      "selection.platformId": { $in: [...platformIds] },
    };
    type Selecting = { clanId: string; selection: { platformId: string } };
    const options = { projection: { clanId: 1, "selection.platformId": 1 } } as const;
    const found = await db().collection<ReversalDoc>("reversals").find<Selecting>(these, options).toArray();
    return found.map(({ clanId, selection }) => ({ clanId, platformId: selection.platformId }));
  }

  return async function findStored(clanIds, platformIds) {
    const stored = new Map<string, Set<string>>();
    const note = (refs: readonly MemberRef[]): void => {
      for (const { clanId, platformId } of refs)
        stored.set(platformId, (stored.get(platformId) ?? new Set()).add(clanId));
    };
    if (platformIds.length === 0) return new Map();
    for (const group of chunks(clanIds, Math.max(1, Math.floor(IDS_PER_READ_MAX / platformIds.length)))) {
      const refs = group.flatMap((clanId) => platformIds.map((platformId) => ({ clanId, platformId })));
      note(await read(() => membersAmong(refs)));
    }
    note(await read(() => inReversals(clanIds, platformIds)));
    for await (const refs of inBatches(clanIds, platformIds)) note(refs);
    return new Map([...stored].map(([platformId, clans]) => [platformId, [...clans].toSorted()]));
  };
}
