// How long a caller of the fault tests waits before it sends again: first hardly at all, then longer, so that a fault
// of seconds is not a flood of requests that keep the machine from the processes which have to come back.
import { setTimeout as pause } from "node:timers/promises";

const FIRST_MS = 25;
/** The long form goes on as fast as it began. */
const MS_MAX = process.env["FAULTS_MINUTES"] ? FIRST_MS : 200;

/** `tries`: how many tries came before, 0 after the first one. */
export async function retryPause(tries: number): Promise<void> {
  await pause(Math.min(FIRST_MS * 2 ** tries, MS_MAX));
}
