// The memory options of Node for processes on a machine that also runs other programs. Node's default limits grow with
// the machine's memory, and so does uncollected memory: under full load 270 to 430 MiB on 24 GiB, and 230 MiB with the
// options of an API or a worker, at the same speed. Half of their second value would save 30 MiB and cost 5 % of the
// speed (measured). Containers do not need them, because Node uses their limit. package.json sets the same options.

/** Far above the memory that the bounds on requests, awards and batches permit. */
const serving = ["--max-old-space-size=1024", "--max-semi-space-size=32"];
/**
 * It mostly waits for receivers: with 100 destinations it uses 110 MiB, with the other options 150 MiB (measured). The
 * last one is for the part of Node that removes types, which is WebAssembly and runs only at the start.
 */
const notifying = ["--max-old-space-size=256", "--max-semi-space-size=1", "--optimize-for-size", "--liftoff-only"];

export const nodeOptions = { api: serving, worker: serving, notifier: notifying, dashboard: serving };
export type Role = keyof typeof nodeOptions;
