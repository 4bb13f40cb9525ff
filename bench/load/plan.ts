// The messages between the runner and a process that generates load, over the child's IPC channel.

/** `hot`: one member takes everything. `zipf`: exponent 1.1 over all members. */
export type Spread = "uniform" | "zipf" | "hot";

export type LoadPlan = {
  /** Of the subject on loopback; 0 where the load is made inside of the subject. */
  port: number;
  /** A clan's id and the secret of the key that calls for it; members are spread over them in turn. */
  clans: readonly { clanId: string; secret: string }[];
  membersTotal: number;
  spread: Spread;
  awardsPerRequest: number;
  /** Several awards go in a synchronous call, each second one with a key; not in a batch. */
  isCall: boolean;
  /** Closed loop: each caller sends again when it is answered. Open loop: the most that may be under way. */
  callers: number;
  /** Open loop: requests per second, sent when they are due whatever became of the ones before. Null: closed loop. */
  perSecond: number | null;
  /** A page that is read, in place of awards; the results count its visits as awards. */
  path?: string;
  warmMs: number;
  measureMs: number;
};

/** The amount of each award: the ledger must have grown by it times the number of acknowledged awards. */
export const AMOUNT = 5;

export const PERCENTILES = [50, 75, 90, 95, 99, 99.9, 100] as const;
export type Percentile = (typeof PERCENTILES)[number];

export type LoadResult = {
  /** Acknowledged within the measured window, and in all: from the first request to the last answer. */
  awards: number;
  awardsInAll: number;
  awardsPerS: number;
  /** From the moment a request was due to its answer, in ms. */
  latencyMs: Record<Percentile, number>;
  /** Awards per second in each slice of the window. */
  series: number[];
  /** Answers other than 200 and connections that broke, each with how often. */
  failures: Record<string, number>;
  /** Of one core, that making the load took. Null: the load was made inside of the subject, and is in its CPU. */
  cpuShare: number | null;
};

/** In place of a plan: the window of the one that is carried out ends now. */
export const STOP = "stop";

/** `began` and `ended` enclose the measured window, so that the runner reads the subjects' CPU at its ends. */
export type LoadMessage = { kind: "ready" | "began" | "ended" } | { kind: "result"; result: LoadResult };

/** A member's ids, as every subject knows them. */
export function memberOf(index: number, clans: number): { clan: number; platformId: string } {
  return { clan: index % clans, platformId: String(1_000_000 + index) };
}
