// Configures V8's garbage collection where its heuristics harm a server.
import { setFlagsFromString } from "node:v8";

/** The same as an option of Node. */
export const PRETENURING_OFF = "--no-allocation-site-pretenuring";

/**
 * V8 allocates objects as old once a hundred of their kind have survived its quick collections: a hundred connections
 * opened together are enough. Arrays inside of streams then are old for every request as well, and each keeps all of
 * its request until the next slow collection. With 512 callers, five of eight APIs permanently spent a quarter to two
 * fifths more CPU on each request (measured).
 */
export function keepNewObjectsYoung(): void {
  setFlagsFromString(PRETENURING_OFF);
}
