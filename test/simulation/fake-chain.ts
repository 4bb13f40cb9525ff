// Entries and chains of events in memory, with the guarantees of a replica set: one log of writes, of which a majority
// holds the first part; reads of what a majority holds; unique indexes on what is written.
import type { Entry } from "#domain/entry.ts";
import { AppError } from "#kernel/app-error.ts";
import type { EventErasure, EventChain, NewEvent, UnnumberedChanges, UnseenEvent } from "#events/ports.ts";
import { memberSubject, nameOfEvent } from "#domain/change-ref.ts";

/** `writtenAt` and the others: how long the log was after that write. */
type EntryRow = { entry: Entry; writtenAt: number; settledAt: number | null; deletedAt: number | null };
export type EventRow = {
  clanId: string;
  n: number;
  event: NewEvent | UnseenEvent;
  writtenAt: number;
  emptiedAt: number | null;
};

export type FakeChain = UnnumberedChanges &
  EventChain &
  Pick<EventErasure, "eraseUnnumbered" | "listWithoutEntry" | "deleteContent"> & {
    /** Adds the member's next entry, with the number that it gets. */
    commit(entry: Omit<Entry, "seq">): void;
    /** Deletes all entries of a member until a majority holds that. */
    deleteEntries(clanId: string, platformId: string): Promise<void>;
    entries(): Entry[];
    /** All events of a clan that a majority holds, by number. */
    eventsOf(clanId: string): EventRow[];
    hasUnnumbered(): boolean;
    /** What no majority holds is gone. */
    failOver(): void;
    /** A backup that holds this share of the log. */
    restore(share: number): void;
    /** How often a backup was restored. What was sent before is lost. */
    interruptions(): number;
  };

export function makeFakeChain(majorityMs: () => number): FakeChain {
  const undo: (() => void)[] = [];
  let held = 0;
  let term = 0;
  let interruptions = 0;
  let entries: EntryRow[] = [];
  let events: EventRow[] = [];
  let waiters: { length: number; settle: (isHeld: boolean) => void }[] = [];

  const isHeld = (at: number | null): boolean => at !== null && at <= held;
  const isVisible = (row: EntryRow): boolean => isHeld(row.writtenAt) && !isHeld(row.deletedAt);

  function write(undoing: () => void): number {
    return undo.push(undoing);
  }

  async function untilHeld(): Promise<void> {
    const [length, ofTerm] = [undo.length, term];
    setTimeout(() => {
      if (ofTerm !== term) return;
      held = Math.max(held, length);
      for (const waiter of waiters) if (waiter.length <= held) waiter.settle(true);
      waiters = waiters.filter((waiter) => waiter.length > held);
    }, majorityMs());
    if (held >= length) return;
    const stored = await new Promise<boolean>((settle) => waiters.push({ length, settle }));
    if (!stored) throw new AppError("unavailable", "an election", { cause: "made up" });
  }

  function truncate(length: number): void {
    term += 1;
    while (undo.length > length) undo.pop()?.();
    held = Math.min(held, length);
    for (const { settle } of waiters) settle(false);
    waiters = [];
  }

  function entriesOf(clanId: string, platformId: string): EntryRow[] {
    return entries.filter(
      ({ entry, deletedAt }) => entry.clanId === clanId && entry.platformId === platformId && deletedAt === null,
    );
  }

  function isTaken(clanId: string, n: number, event: NewEvent | UnseenEvent): boolean {
    const isSame = (other: NewEvent | UnseenEvent): boolean =>
      event.type !== undefined &&
      other.type !== undefined &&
      nameOfEvent(event.ref, event.type) === nameOfEvent(other.ref, other.type);
    return events.some(
      (row) => row.clanId === clanId && (row.n === n || (row.emptiedAt === null && isSame(row.event))),
    );
  }

  function unnumbered(clanId?: string): EntryRow[] {
    return entries.filter(
      (row) => isVisible(row) && !isHeld(row.settledAt) && (clanId === undefined || row.entry.clanId === clanId),
    );
  }

  return {
    commit(entry) {
      const before = entriesOf(entry.clanId, entry.platformId).at(-1);
      const row: EntryRow = {
        entry: { ...entry, seq: (before?.entry.seq ?? 0) + 1 },
        writtenAt: 0,
        settledAt: null,
        deletedAt: null,
      };
      row.writtenAt = write(() => (entries = entries.filter((other) => other !== row)));
      entries.push(row);
      void untilHeld().catch(() => {});
    },
    async deleteEntries(clanId, platformId) {
      for (const row of entriesOf(clanId, platformId)) row.deletedAt = write(() => (row.deletedAt = null));
      await untilHeld();
    },
    async clans(after, limit) {
      const all = new Set(unnumbered().map(({ entry }) => entry.clanId));
      return [...all]
        .filter((clanId) => clanId > (after ?? ""))
        .toSorted()
        .slice(0, limit)
        .map((clanId) => ({ clanId, hasOthers: false }));
    },
    list: async ({ clanId }, { afterMember, limit }) =>
      unnumbered(clanId)
        .map(({ entry }) => entry)
        .filter(({ platformId }) => platformId > (afterMember ?? ""))
        .toSorted((a, b) => a.platformId.localeCompare(b.platformId) || a.seq - b.seq)
        .slice(0, limit)
        .map((entry) => ({
          kind: "entry",
          ref: { subject: memberSubject(entry.platformId), seq: entry.seq, at: entry.at },
          entry,
          announced: "changes",
          before: null,
        })),
    async settle(changes, end) {
      if (end.interruptions !== interruptions) return;
      for (const change of changes) {
        if (change.kind !== "entry") continue;
        const { clanId, platformId, seq, at } = change.entry;
        const row = entriesOf(clanId, platformId).find(
          ({ entry }) => entry.seq === seq && entry.at.getTime() === at.getTime(),
        );
        if (row) row.settledAt ??= write(() => (row.settledAt = null));
      }
      await untilHeld();
    },
    newest: async (clanId) => ({
      n: Math.max(0, ...events.filter((row) => row.clanId === clanId && isHeld(row.writtenAt)).map(({ n }) => n)),
      interruptions,
    }),
    async listNumbered(clanId, refs) {
      const asked = new Set(refs.map(({ subject, seq }) => `${subject}/${seq}`));
      return new Set(
        events.flatMap(({ clanId: of, event, writtenAt, emptiedAt }) =>
          of === clanId &&
          event.type !== undefined &&
          isHeld(writtenAt) &&
          !isHeld(emptiedAt) &&
          asked.has(`${event.ref.subject}/${event.ref.seq}`)
            ? [nameOfEvent(event.ref, event.type)]
            : [],
        ),
      );
    },
    async append(additions) {
      if (additions.some(({ end }) => end.interruptions !== interruptions)) return 0;
      const added = additions.flatMap(({ clanId, end, events: own }) =>
        own.map((event, index) => ({ clanId, n: end.n + 1 + index, event })),
      );
      const taken = added.findIndex(({ clanId, n, event }) => isTaken(clanId, n, event));
      const stored = taken === -1 ? added : added.slice(0, taken);
      for (const place of stored) {
        const row: EventRow = { ...place, writtenAt: 0, emptiedAt: null };
        row.writtenAt = write(() => (events = events.filter((other) => other !== row)));
        events.push(row);
      }
      // After a taken number too: for all that was stored by then.
      await untilHeld();
      return stored.length;
    },
    eraseUnnumbered: async () => {},
    async *listWithoutEntry({ clanId, platformId }) {
      const subject = memberSubject(platformId);
      const existing = new Set(
        entries
          .filter((row) => isVisible(row) && row.entry.clanId === clanId && row.entry.platformId === platformId)
          .map(({ entry }) => `${entry.seq} ${entry.at.getTime()}`),
      );
      yield events.flatMap(({ clanId: of, n, event, writtenAt, emptiedAt }) =>
        of === clanId &&
        event.type !== undefined &&
        event.ref.subject === subject &&
        isHeld(writtenAt) &&
        !isHeld(emptiedAt) &&
        !existing.has(`${event.ref.seq} ${event.ref.at.getTime()}`)
          ? [{ n, eventId: event.eventId }]
          : [],
      );
    },
    async deleteContent({ clanId }, positions) {
      const among = new Set(positions.map(({ eventId }) => eventId));
      for (const row of events)
        if (row.clanId === clanId && among.has(row.event.eventId))
          row.emptiedAt ??= write(() => (row.emptiedAt = null));
      await untilHeld();
    },
    entries: () => entries.flatMap((row) => (isVisible(row) ? [row.entry] : [])),
    eventsOf: (clanId) =>
      events.filter((row) => row.clanId === clanId && isHeld(row.writtenAt)).toSorted((a, b) => a.n - b.n),
    hasUnnumbered: () => undo.length > held || unnumbered().length > 0,
    failOver: () => truncate(held),
    restore(share) {
      interruptions += 1;
      truncate(Math.floor(held * share));
    },
    interruptions: () => interruptions,
  };
}
