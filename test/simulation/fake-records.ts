// The records of simulated processes in memory, which a restored backup sets back with the ledger.
import type { ProcessStore } from "#ledger/ports.ts";

export type FakeRecords = Pick<ProcessStore, "note" | "remove"> & {
  /** How long the ledger was at the last note of each process. */
  lastNotes(): number[];
  /** The records as they were when the ledger had this length, before or after a note of that moment. */
  restore(length: number, at: "before" | "after"): void;
};

export function makeFakeRecords(ledgerLength: () => number): FakeRecords {
  /** How long the ledger was at each note of each process. */
  const notes = new Map<string, number[]>();
  return {
    async note(processId) {
      const before = notes.get(processId) ?? [];
      notes.set(processId, [...before, ledgerLength()]);
      return before.length;
    },
    remove: async (processId) => void notes.delete(processId),
    lastNotes: () => [...notes.values()].map((lengths) => lengths.at(-1) ?? 0),
    restore(length, at) {
      for (const [processId, lengths] of notes)
        notes.set(
          processId,
          lengths.filter((noted) => (at === "before" ? noted < length : noted <= length)),
        );
    },
  };
}
