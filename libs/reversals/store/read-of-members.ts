// Reads the steps of a reset and of its reversal: members in the order of their platformIds, each once.
//
// What a member had at a time is found in their chain: the XP after the newest entry, without what the entries dated
// after that time applied. A reversal counts as dated like the entry that it reverses, a reset like the time.
// Entries of one chain are nearly in the order of their times, because the clocks of their processes differ little.
// So the chain is read backwards until an entry is clearly older.
import type { Collection } from "mongodb";
import { resetKey } from "#domain/award-key.ts";
import { memberIdOf, memberRefOf, type MemberId } from "#domain/member-id.ts";
import { lossOf, type ResetSelection } from "#domain/reset.ts";
import type { Selection } from "#domain/reversal.ts";
import { bigintOf } from "#mongo/bigint-of.ts";
import type { Database } from "#mongo/database.ts";
import { NO_FENCE } from "#mongo/filters.ts";
import { BY_KEY, type EntryDoc } from "#ledger/store/entry-model.ts";
import { amongIds, BY_ID } from "#ledger/store/ledger-filters.ts";
import { membersOfClan, type MemberDoc } from "#ledger/store/member-model.ts";
import { MAJORITY } from "#mongo/mongo-calls.ts";
import type { AwardSelection, SelectedAward } from "#reversals/ports.ts";

type Step = Awaited<ReturnType<AwardSelection["read"]>>;
type Page = { after: string; limit: number };
type Chain = Pick<MemberDoc, "platformId" | "seq">;
type Found = Pick<EntryDoc, "_id" | "key" | "kind" | "applied" | "reversesSeq">;
/**
 * `xp`: after the newest entry. `later`: what the entries after the time have applied. `reversed`: what their reversals
 * have applied, by the number of the reversed entry. `below`: the number of the next entry to read.
 */
type Read = {
  platformId: string;
  seq: number;
  xp: bigint | null;
  later: bigint;
  reversed: Map<number, bigint>;
  below: number;
  isRead: boolean;
};

/** Reads so many more entries of each of these members. */
type ReadOlder = (reads: readonly Read[], size: number) => Promise<void>;

/** Twice as far as the clock of a process that is ready can be from MongoDB's: two of them are not further apart. */
const DISORDER_MS = 10 * 60_000;
/** Entries of a member that the second read returns; the next ones each return so many times more. */
const GROWTH = 16;
const FIELDS = { xp: 1, applied: 1, at: 1, key: 1, kind: 1, reversesSeq: 1 } as const;

export function makeReadOfMembers({ db }: Pick<Database, "db">) {
  const ledger = (): Collection<EntryDoc> => db().collection<EntryDoc>("ledger");

  return async function readOfMembers(
    selection: ResetSelection | Extract<Selection, { kind: "reset" }>,
    page: Page,
  ): Promise<Step> {
    const { clanId } = selection;
    const chains = await readChains(clanId, page);
    const next = chains.length === page.limit ? (chains.at(-1)?.platformId ?? null) : null;
    if (selection.kind === "reset") return { awards: await entriesOf(selection, chains), next };
    const { losses, isWhole } = await lossesOf(makeReadOlder(ledger, selection), selection, chains, page.limit);
    const last = losses.at(-1)?.platformId ?? null;
    return { awards: losses.filter(({ applied }) => applied > 0n), next: isWhole ? next : last };
  };

  async function readChains(clanId: string, { after, limit }: Page): Promise<Chain[]> {
    const docs = await db()
      .collection<MemberDoc>("members")
      .find(
        { _id: { ...membersOfClan(clanId)._id, $gt: memberIdOf({ clanId, platformId: after }) }, ...NO_FENCE },
        { ...MAJORITY, hint: BY_ID, projection: { seq: 1 } },
      )
      .sort(BY_ID)
      .limit(limit)
      .toArray();
    return docs.map(({ _id, seq }) => ({ platformId: memberRefOf(_id as MemberId).platformId, seq }));
  }

  /** What the reset has taken from these members. */
  async function entriesOf(
    { clanId, resetId }: Extract<Selection, { kind: "reset" }>,
    chains: readonly Chain[],
  ): Promise<SelectedAward[]> {
    const platformIds = chains.map(({ platformId }) => platformId);
    const docs = await ledger()
      .find(
        { "_id.clanId": clanId, "_id.platformId": { $in: platformIds }, key: resetKey(resetId), ...NO_FENCE },
        { ...MAJORITY, hint: BY_KEY, projection: { key: 1, applied: 1 } },
      )
      .toArray();
    return docs
      .map(({ _id, key, applied }) => ({ platformId: _id.platformId, seq: _id.seq, key, applied: bigintOf(applied) }))
      .filter(({ applied }) => applied !== 0n);
  }
}

/**
 * In the order of the members, those of the last ones only if that takes few reads (`isWhole`): a member may have any
 * number of entries since.
 */
async function lossesOf(
  readOlder: ReadOlder,
  selection: ResetSelection,
  chains: readonly Chain[],
  limit: number,
): Promise<{ losses: SelectedAward[]; isWhole: boolean }> {
  const reads = chains.map(({ platformId, seq }): Read => ({
    platformId,
    seq,
    xp: null,
    later: 0n,
    reversed: new Map(),
    below: seq,
    isRead: seq < 1,
  }));
  await readOlder(reads, 1);
  let entries = 0;
  let unread = reads.filter(({ isRead }) => !isRead);
  for (let size = GROWTH; unread.length > 0 && (entries < limit || unread[0] === reads[0]);) {
    const group = unread.slice(0, Math.max(1, Math.floor(limit / size)));
    await readOlder(group, size);
    entries += group.length * size;
    const left = group.filter(({ isRead }) => !isRead);
    unread = [...left, ...unread.slice(group.length)];
    size = left.length === group.length ? Math.min(size * GROWTH, limit) : GROWTH;
  }
  const whole = unread[0] ? reads.slice(0, reads.indexOf(unread[0])) : reads;
  const losses = whole.map(({ platformId, seq, xp, later }) => {
    const present = xp ?? 0n;
    return { platformId, seq, key: "", applied: lossOf(present - later, selection.keepPercent), xp: present };
  });
  return { losses, isWhole: unread.length === 0 };
}

function makeReadOlder(ledger: () => Collection<EntryDoc>, { clanId, resetId, at }: ResetSelection): ReadOlder {
  const ownKey = resetKey(resetId);

  function addLater(read: Read, { _id, key, kind, applied, reversesSeq = 0 }: Found): void {
    // What this reset has taken changes nothing: it may run again.
    if (key === ownKey) read.later += bigintOf(applied);
    else if (kind === "reversal") read.reversed.set(reversesSeq, bigintOf(applied));
    else if (kind !== "reset") read.later += bigintOf(applied) + (read.reversed.get(_id.seq) ?? 0n);
  }

  return async function readOlder(reads, size) {
    const ids = reads.flatMap(({ platformId, below }) =>
      Array.from({ length: Math.min(size, Math.max(below, 0)) }, (_, index) => ({
        clanId,
        platformId,
        seq: below - index,
      })),
    );
    const docs = await ledger()
      .find(amongIds(ids), { ...MAJORITY, hint: BY_ID, projection: FIELDS })
      .toArray();
    const found = Map.groupBy(docs, ({ _id }) => _id.platformId);
    for (const read of reads) {
      for (const doc of (found.get(read.platformId) ?? []).toSorted((a, b) => b._id.seq - a._id.seq)) {
        if (read.isRead) break;
        read.xp ??= bigintOf(doc.xp);
        if (doc.at > at) addLater(read, doc);
        else if (doc.at.getTime() <= at.getTime() - DISORDER_MS) read.isRead = true;
      }
      read.below -= size;
      if (read.below < 1) read.isRead = true;
    }
  };
}
