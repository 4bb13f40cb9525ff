// A clan's ledger and its members' documents in memory, as boards read them.
import type { CountedEntry } from "#domain/standing.ts";
import type { LedgerChanges } from "#ledger/ports.ts";
import type { DueMember, UncountedEntries } from "#boards/ports.ts";

/** `committedMs`: when it was acknowledged. `reversesSeq`: of a reversal. `erasing`: its member is being erased. */
export type FakeEntry = {
  seq: number;
  at: Date;
  applied: bigint;
  removed: boolean;
  what: "award" | "membership" | "other" | "reversal";
  reversesSeq?: number;
  committedMs: number;
  erasing?: true;
};
/** `isWrong`: something else has changed it. */
export type FakeMember = { seq: number; due?: number; erasing?: true; isWrong?: true };

const PER_PAGE = 7;

export function makeFakeLedger(clanId: string) {
  const chains = new Map<string, FakeEntry[]>();
  const members = new Map<string, FakeMember>();
  const chainOf = (platformId: string): FakeEntry[] => chains.get(platformId) ?? [];
  const readable = (platformId: string): FakeEntry[] => chainOf(platformId).filter(({ erasing }) => !erasing);

  /** What stays as the mark of a document that moves to this entry. */
  function markBefore({ due, seq: was }: Partial<FakeMember>, seq: number): { due?: number } {
    const mark = (was ?? 0) > seq ? 0 : Math.min(due ?? was ?? 0, was ?? 0);
    return mark < seq ? { due: mark } : {};
  }

  function counted(chain: readonly FakeEntry[], platformId: string): CountedEntry[] {
    return chain.map(({ seq, at, applied, removed, what, reversesSeq }) => {
      const facts = { seq, at, applied, removed };
      if (what !== "reversal") return { ...facts, what };
      const award = chainOf(platformId).find((one) => one.seq === reversesSeq);
      return { ...facts, what, awardAt: award?.what === "award" ? award.at : null };
    });
  }

  const entries: UncountedEntries = {
    listDue: async (_, limit) =>
      [...members]
        .filter(([, { due, erasing }]) => due !== undefined && !erasing)
        .toSorted(([a, { due: x = 0 }], [b, { due: y = 0 }]) => x - y || (a < b ? -1 : 1))
        .slice(0, limit)
        .map(([platformId, { due = 0, seq }]) => ({ platformId, counted: due, seq })),
    async readEntries(_, due: readonly DueMember[]) {
      const found = due.map(({ platformId, counted: from, seq: to }) => {
        const own = readable(platformId).filter(({ seq }) => seq > from && seq <= to);
        return [platformId, counted(own, platformId)] as const;
      });
      return new Map(found.filter(([, own]) => own.length > 0));
    },
    async readCounted(_, ids) {
      const found = ids.flatMap((id) => {
        const member = members.get(id);
        return member && !member.erasing ? [[id, member.due ?? member.seq] as const] : [];
      });
      return new Map(found);
    },
    async readChain({ platformId }, { from, limit }) {
      const part = readable(platformId).filter(({ seq }) => seq >= from);
      return counted(part.slice(0, limit), platformId);
    },
    async settle(_, done) {
      for (const { platformId, counted: was, seq } of done) {
        const member = members.get(platformId);
        if (!member || !Object.is(member.due, was)) continue;
        if (member.seq === seq) delete member.due;
        else member.due = seq;
      }
    },
  };

  /** Pages of the index by time: what is inserted before the place of the reader is not met. */
  const reader: {
    page(since: Date, skip: readonly [number, string, number] | null): Promise<ChangedPage>;
  } & LedgerChanges = {
    async page(since, after) {
      const sinceMs = since.getTime();
      const found: ChangedPage = [];
      for (const [platformId, chain] of chains)
        for (const { at, seq } of chain) {
          const atMs = at.getTime();
          if (atMs < sinceMs || (after && atMs < after[0])) continue;
          const key = [atMs, platformId, seq] as const;
          if (after === null || byKey(key, after) > 0) found.push(key);
        }
      return found.toSorted(byKey).slice(0, PER_PAGE);
    },
    async *listChanged(_, since) {
      for (let after: ChangedPage[number] | null = null; ;) {
        const page: ChangedPage = await reader.page(since, after);
        if (page.length > 0) yield page.map(([, platformId, seq]) => ({ clanId, platformId, firstSeq: seq }));
        after = page.at(-1) ?? null;
        if (page.length < PER_PAGE) return;
      }
    },
  };

  return {
    chains,
    members,
    entries,
    reader,
    commit(platformId: string, entry: Omit<FakeEntry, "seq">): FakeEntry {
      const chain = chainOf(platformId);
      const added = { ...entry, seq: (chain.at(-1)?.seq ?? 0) + 1 };
      chains.set(platformId, [...chain, added]);
      return added;
    },
    /** As the projection does for a committed head. `marked`: the clan has boards. */
    project(platformId: string, seq: number, marked: boolean): void {
      const member = members.get(platformId);
      if (member?.erasing || (member && member.seq >= seq)) return;
      members.set(platformId, { seq, ...(marked ? markBefore(member ?? {}, seq) : {}) });
    },
    /** Sets the document to what the ledger says. */
    rebuild(platformId: string, marked: boolean): void {
      const [member, head] = [members.get(platformId), readable(platformId).at(-1)];
      if (!head || member?.erasing || (member?.seq === head.seq && !member.isWrong)) return;
      members.set(platformId, { seq: head.seq, ...(marked ? markBefore(member ?? {}, head.seq) : {}) });
    },
  };
}

type ChangedPage = (readonly [number, string, number])[];

function byKey([at, id, seq]: ChangedPage[number], [otherAt, other, otherSeq]: ChangedPage[number]): number {
  return at - otherAt || (id === other ? seq - otherSeq : id < other ? -1 : 1);
}
