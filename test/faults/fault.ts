// A fault of a cluster of real processes, as a row.
import type { Cluster } from "./cluster.ts";
import type { Load } from "./load.ts";

export type Fault = {
  name: string;
  /** In `npm test`: of faults that are alike the one that has the others' effects, too. */
  often?: true;
  /** What not every machine lets a test do. */
  needs?: "clocks" | "disks";
  /** No award may get any other answer. */
  statuses?: readonly number[];
  /** No award may be answered later. */
  slowestMsMax?: number;
  /** Ends when the fault is over; the load goes on meanwhile. */
  inflict(cluster: Cluster, load: Load): Promise<void>;
};

/**
 * Past a lock's life (2 s), a job's lock and the look for stalled ones (7.5 s), a transaction's life (10 s), a socket's
 * silence (12 s).
 */
export const STOPPED_MS = 13_000;
