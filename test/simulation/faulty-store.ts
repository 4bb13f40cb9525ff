// One process's way to the shared store: slow and unreliable as `faultRates` says, never untrue about what it says for
// certain.
import { AppError } from "#kernel/app-error.ts";
import type { Entry } from "#domain/entry.ts";
import { commitResultOf } from "#ledger/store/commit-result.ts";
import type { LedgerStore, CommitResult, EpochStore, ProcessStore } from "#ledger/ports.ts";
import type { FakeStore } from "./fake-store.ts";
import type { Chance } from "../support/chance.ts";

/** How often what goes wrong, as shares of all calls. */
export type FaultRates = {
  readFails: number;
  unavailable: number;
  conflict: number;
  /** MongoDB rejects one entry of a commit permanently. */
  rejected: number;
  unknownApplied: number;
  /** A router loses the response of a shard, and returns write errors for entries that the shard stored. */
  routerLoses: number;
  unknownLost: number;
  /** The connection is lost behind the first entries. */
  unknownPart: number;
  /** Called unknown now, and carried out later: an insert that stood in a socket, for so long at most. */
  zombie: number;
  lateMsMax: number;
  delayMs: number;
};

/** HostUnreachable, HostNotFound, NetworkTimeout, SocketException, and the errors of a server that stops. */
const LOST_BY_ROUTER = [6, 7, 89, 9001, 91, 189, 11600, 11602] as const;

export const NO_FAULTS: FaultRates = {
  readFails: 0,
  unavailable: 0,
  conflict: 0,
  rejected: 0,
  unknownApplied: 0,
  routerLoses: 0,
  unknownLost: 0,
  unknownPart: 0,
  zombie: 0,
  lateMsMax: 1,
  delayMs: 1,
};

/** `isAlive`: a process that was killed hears of nothing any more; what it sent may still be carried out. */
export function makeFaultyStore(
  store: FakeStore,
  { faultRates, chance, isAlive }: { faultRates: () => FaultRates; chance: Chance; isAlive: () => boolean },
): LedgerStore & { epochs: EpochStore; processes: Pick<ProcessStore, "note" | "remove" | "interruptions"> } {
  const cause = new Error("made up");
  const forever = new Promise<never>(() => {});
  const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
  const delay = async (): Promise<void> => {
    await pause(chance.next() * faultRates().delayMs);
    if (!isAlive()) await forever;
  };

  async function call<T>(operation: () => Promise<T>, of = store.server): Promise<T> {
    const server = of();
    await delay();
    if (server === null || server !== of()) throw new AppError("unavailable", "stopped", { cause });
    if (chance.hits(faultRates().readFails)) throw new AppError("unavailable", "made up", { cause });
    const result = await operation();
    await delay();
    if (server !== of()) throw new AppError("unavailable", "stopped", { cause });
    return result;
  }

  async function commit(entries: readonly Entry[]): Promise<CommitResult> {
    const server = store.server();
    await delay();
    if (server === null) return { kind: "unavailable", stored: 0, cause };
    // What was sent to a server that stopped is not carried out by its successor.
    if (server !== store.server()) return { kind: "unknown", cause };
    const {
      unavailable,
      conflict,
      rejected,
      unknownApplied,
      unknownLost,
      unknownPart,
      zombie,
      lateMsMax,
      routerLoses,
    } = faultRates();
    if (chance.hits(unavailable)) return { kind: "unavailable", stored: 0, cause };
    if (chance.hits(conflict)) return { kind: "conflict", over: "seq", stored: 0, cause };
    if (chance.hits(unknownLost)) return { kind: "unknown", cause };
    if (chance.hits(zombie)) {
      setTimeout(() => server === store.server() && void store.commit(entries), chance.int(1, lateMsMax));
      return { kind: "unknown", cause };
    }
    if (chance.hits(unknownPart)) {
      void store.commit(entries.slice(0, chance.int(0, entries.length)));
      return { kind: "unknown", cause };
    }
    if (chance.hits(rejected)) {
      const stored = chance.int(0, entries.length - 1);
      const first = await store.commit(entries.slice(0, stored));
      return first.kind === "committed" ? { kind: "rejected", stored, alone: true, cause } : first;
    }
    const result = await store.commit(entries);
    await delay();
    if (result.kind === "committed" && routerLoses > 0 && chance.hits(routerLoses)) {
      const lost = { index: chance.int(0, entries.length - 1), code: chance.pick(LOST_BY_ROUTER), errmsg: "made up" };
      return commitResultOf({ ok: 1, writeErrors: [lost] });
    }
    return chance.hits(unknownApplied) ? { kind: "unknown", cause } : result;
  }

  return {
    readHeads: (members) => call(() => store.readHeads(members)),
    advanceHeads: (known) => call(() => store.advanceHeads(known)),
    readHeadsAt: (seqs) => call(() => store.readHeadsAt(seqs)),
    readEntries: (awards, options) => call(() => store.readEntries(awards, options)),
    projectExisting: (heads) => call(() => store.projectExisting(heads)),
    project: (heads) => call(() => store.project(heads)),
    commit,
    epochs: {
      read: () => call(store.epochs.read),
      draw: () => call(store.epochs.draw),
    },
    processes: {
      note: (processId, mark) => call(() => store.processes.note(processId, mark), store.serverOfRecords),
      interruptions: store.processes.interruptions,
      remove: (processId) => call(() => store.processes.remove(processId), store.serverOfRecords),
    },
  };
}
