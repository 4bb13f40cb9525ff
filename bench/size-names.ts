// The numbers that are measured once, and not in rounds.

export type SizeName =
  | "apiUnderLoadMib"
  | "workerUnderLoadMib"
  | "apiQueuedMib"
  | "workerQueuedMib"
  | "redisBytesPerAward"
  | "mongoBytesPerEntry"
  | "conflictsPercent"
  | "gainsS"
  | "visitsPerS"
  | "readsPerS"
  | "oldEventsS"
  | "idlePercent"
  | "idleMib";
export type Sizes = Partial<Record<SizeName, number>>;
