// Reads the members' heads, as stored by a majority. The ledger is the source of truth: a member's document only
// indicates which entries to read.
import { NEW_HEAD, type Head } from "#domain/head.ts";
import { makeAdvanceHeads } from "#ledger/store/advance-heads.ts";
import type { Database } from "#mongo/database.ts";
import { headOfDoc, type MemberDoc } from "#ledger/store/member-model.ts";
import { headOfEntryDoc } from "#ledger/store/entry-model.ts";
import { makeFindEntries } from "#ledger/store/find-entries.ts";
import { read } from "#mongo/mongo-calls.ts";
import { memberIdOf, type MemberId } from "#domain/member-id.ts";
import type { LedgerStore, Heads } from "#ledger/ports.ts";

type HeadReads = Pick<LedgerStore, "readHeads" | "advanceHeads" | "readHeadsAt"> & {
  /** The same as `readHeads`, with the time of the last award where entries of older versions do not say it. */
  readWholeHeads: LedgerStore["readHeads"];
};

export function makeHeadReads({ db }: Pick<Database, "db">): HeadReads {
  const finds = makeFindEntries({ db });
  const { findMembers, findEntries, findNewest, findLastAwardAt } = finds;
  const advance = makeAdvanceHeads(finds);

  async function readHeads(ids: readonly MemberId[]): Promise<Heads> {
    const docs = new Map((await findMembers<MemberDoc>(ids)).map((doc) => [doc._id as MemberId, doc]));
    // The entry that the document refers to, and the next one, which usually does not exist.
    const entries = await findEntries(
      ids.flatMap((id) => {
        const seq = seqOf(docs.get(id));
        return seq > 0
          ? [
              { id, seq },
              { id, seq: seq + 1 },
            ]
          : [{ id, seq: 1 }];
      }),
    );
    const heads = new Map<MemberId, Head>();
    const behind: MemberId[] = [];
    for (const id of ids) {
      const doc = docs.get(id);
      const found = entries.get(id) ?? [];
      const exists = seqOf(doc) === 0 || found[0]?._id.seq === seqOf(doc);
      const newest = exists ? found.at(-1) : await findNewest(id);
      if (newest)
        heads.set(
          id,
          headOfEntryDoc(newest, () => (doc ? headOfDoc(doc) : NEW_HEAD)),
        );
      else if (doc) heads.set(id, headOfDoc(doc));
      if (newest && newest._id.seq > seqOf(doc)) behind.push(id);
    }
    return await advance(behind, heads);
  }

  async function readWholeHeads(ids: readonly MemberId[]): Promise<Heads> {
    const heads = new Map(await readHeads(ids));
    const partial = [...heads].filter(([, { lastAwardAt, erasing }]) => lastAwardAt === undefined && !erasing);
    await Promise.all(
      partial.map(async ([id, head]) => heads.set(id, { ...head, lastAwardAt: await findLastAwardAt(id) })),
    );
    return heads;
  }

  return {
    readHeads: (refs) => read(() => readHeads([...new Set(refs.map(memberIdOf))])),
    readWholeHeads: (refs) => read(() => readWholeHeads([...new Set(refs.map(memberIdOf))])),
    advanceHeads: (known) => read(() => advance([...known.keys()], known)),
    readHeadsAt: (seqs) =>
      read(async () => {
        const entries = await findEntries([...seqs].map(([id, seq]) => ({ id, seq })));
        const heads = new Map<MemberId, Head>();
        for (const [id, [doc]] of entries) {
          // An entry of version 0.1.0 does not contain a whole head.
          if (doc && doc.memberSince !== undefined)
            heads.set(
              id,
              headOfEntryDoc(doc, () => NEW_HEAD),
            );
        }
        return heads;
      }),
  };
}

/** 0 also for a manually written value that is not a number. */
function seqOf(doc: MemberDoc | undefined): number {
  return Number.isSafeInteger(doc?.seq) ? (doc?.seq ?? 0) : 0;
}
