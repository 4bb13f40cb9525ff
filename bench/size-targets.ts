// The sizes that are held against a bound. What 13 and 14 must reach is the result that was published with version
// 0.1.0, made worse by 5 %.
import type { Bounds } from "./bounds.ts";
import type { SizeName } from "./size-names.ts";

export type SizeTarget = Bounds & { id: string; title: string; size: SizeName };

const memory = { id: "13", is: "most", aim: 160 } as const;

export const sizeTargets: readonly SizeTarget[] = [
  { ...memory, title: "API's memory under full load, MiB", size: "apiUnderLoadMib", must: 249 },
  { ...memory, title: "worker's memory under full load, MiB", size: "workerUnderLoadMib", must: 223 },
  { ...memory, title: "API's memory, 1,000,000 awards queued, MiB", size: "apiQueuedMib", must: 232 },
  { ...memory, title: "worker's memory, 1,000,000 awards queued, MiB", size: "workerQueuedMib", must: 248 },
  { id: "14", title: "Redis bytes per queued award", size: "redisBytesPerAward", is: "most", must: 9.73, aim: 4 },
  { id: "14", title: "MongoDB bytes on disk per entry", size: "mongoBytesPerEntry", is: "most", must: 230, aim: 200 },
  {
    id: "18",
    title: "2 APIs that share 1,000 members: conflicts, % of entries",
    size: "conflictsPercent",
    is: "most",
    must: 1,
    aim: null,
  },
  { id: "24", title: "gains of 1,000,000 entries, s", size: "gainsS", is: "most", must: 10, aim: null },
  { id: "26", title: "visits/s of a public page", size: "visitsPerS", is: "least", must: 2_000, aim: null },
  { id: "26", title: "reads/s of a public page by all of them", size: "readsPerS", is: "most", must: 1, aim: null },
  { id: "27", title: "npm start without requests, % of a core", size: "idlePercent", is: "most", must: 3, aim: null },
  { id: "27", title: "npm start without requests, MiB", size: "idleMib", is: "most", must: 550, aim: null },
  { id: "28", title: "1,000,000 old events are deleted, s", size: "oldEventsS", is: "most", must: 60, aim: null },
];
