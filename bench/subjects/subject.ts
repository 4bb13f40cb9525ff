// What is measured: a service that takes awards, the processes it works with, and its totals.
import type { Generator } from "../load/run-load.ts";
import type { Sizes } from "../size-names.ts";
import type { LoadPlan } from "../load/plan.ts";

/** Processes whose CPU is reported separately. */
export type Part = "api" | "worker" | "mongod" | "redis" | "postgres";

/** What the database says was applied so far. `entries` null: it stores no ledger. */
export type LedgerTotals = { xp: bigint; entries: bigint | null };

export type Subject = {
  port: number;
  clans: LoadPlan["clans"];
  membersTotal: number;
  pids: Partial<Record<Part, readonly number[]>>;
  /** Set where the load is made inside of the subject, without HTTP. */
  generator: Generator | null;
  /** Null: it applies nothing. */
  readTotals: (() => Promise<LedgerTotals>) | null;
  /** How long load must go on until what follows it goes on, too, in ms. */
  settlesInMs?: number;
  /** How far its totals may lag behind its responses. */
  totalsLagMs?: number;
  /** Set where several processes commit: how many of their inserts met an entry of another one, so far. */
  readConflicts?: () => Promise<number>;
  /** Set if the connections to its servers can be delayed, in ms in each direction. */
  setDelay?: (ms: number) => void;
  /** Set where it can be made to do something else meanwhile. `end` answers why it did not do that all the time. */
  beside?: { begin(): Promise<void>; end(): Promise<string | null> };
  /** Measures what has no rounds, after them and without load. */
  measureSizes?: () => Promise<Sizes>;
  /** Checks the whole ledger after all measurements. Returns what is wrong. */
  verify: (() => Promise<string | null>) | null;
  close(): Promise<void>;
};
