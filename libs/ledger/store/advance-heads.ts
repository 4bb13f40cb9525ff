// Advances heads over the entries that follow them, to the newest entry that a majority has stored.
import type { MemberId } from "#domain/member-id.ts";
import { NEW_HEAD, type Head } from "#domain/head.ts";
import { IDS_PER_READ_MAX, NEWEST_READS_MAX, SEQS_PER_READ_MAX } from "#mongo/bounds.ts";
import { headOfEntryDoc } from "#ledger/store/entry-model.ts";
import type { FindEntries } from "#ledger/store/find-entries.ts";
import type { Heads } from "#ledger/ports.ts";

export function makeAdvanceHeads({ findEntries, findNewest }: FindEntries) {
  /** For a few hot members, whose documents may be thousands of entries behind. */
  async function toNewest(ids: readonly MemberId[], heads: Map<MemberId, Head>): Promise<Heads> {
    const newest = await Promise.all(ids.map(findNewest));
    for (const [index, id] of ids.entries()) {
      const entry = newest[index];
      const before = heads.get(id) ?? NEW_HEAD;
      if (entry && entry._id.seq > before.seq)
        heads.set(
          id,
          headOfEntryDoc(entry, () => before),
        );
    }
    return heads;
  }

  /**
   * Advances heads over the entries that follow them: first looks for one entry each, then for more in one read, only
   * for members that have one.
   */
  async function advance(ids: readonly MemberId[], from: Heads): Promise<Heads> {
    const heads = new Map(from);
    let behind = [...ids];
    for (
      let seqs = 1;
      behind.length > 0;
      seqs = Math.min(seqs * 8, SEQS_PER_READ_MAX, Math.ceil(IDS_PER_READ_MAX / behind.length))
    ) {
      if (seqs > 8 && behind.length <= NEWEST_READS_MAX) return await toNewest(behind, heads);
      const positions = behind.flatMap((id) => {
        const seq = heads.get(id)?.seq ?? 0;
        return Array.from({ length: seqs }, (_, index) => ({ id, seq: seq + 1 + index }));
      });
      const entries = await findEntries(positions);
      behind = behind.filter((id) => {
        const before = heads.get(id) ?? NEW_HEAD;
        const newest = entries.get(id)?.at(-1);
        if (newest)
          heads.set(
            id,
            headOfEntryDoc(newest, () => before),
          );
        return newest?._id.seq === before.seq + seqs;
      });
    }
    return heads;
  }

  return advance;
}
