// This service with two clans whose ledgers hold 1,000,000 entries each from before. They are counted through the API
// in turn, one span after the other, while it is let.
import { setTimeout as pause } from "node:timers/promises";
import { z } from "zod";
import { messageOf } from "../../scripts/system/message-of.js";
import type { Servers } from "../servers.ts";
import { VoidRun } from "../void-run.ts";
import { fillMembers } from "./fill-members.ts";
import { startOurs } from "./ours.ts";
import type { Subject } from "./subject.ts";

const ENTRIES = 1_000_000;
/** Members of a large clan who play: each has a hundred entries. */
const MEMBERS = 10_000;
/** While one is counted, the other one's last count is over, and the rest after it. */
const CLANS = 2;
/** Of a span that is still being counted, without totals. */
const Counted = z.object({ totals: z.object({ awards: z.int() }).optional() });
const DAY_MS = 86_400_000;
const DAYS = 30;
const ASK_AGAIN_MS = 100;
/** Ten times as long as a count of all entries may take. */
const COUNT_MS_MAX = 100_000;

export async function startGainsOurs(servers: Servers, print: (line: string) => void): Promise<Subject> {
  const ours = await startOurs(servers, { name: "ours-gains" });
  await ours.startWorker();
  const members = Math.ceil(MEMBERS * servers.size);
  const entries = members * (ENTRIES / MEMBERS);
  const fromMs = Date.now() - DAYS * DAY_MS;
  const toMs = fromMs + (DAYS - 1) * DAY_MS;
  for (const { clanId } of ours.clans.slice(0, CLANS)) {
    const factsOf = (index: number) => ({ at: new Date(Math.floor(fromMs + (index / entries) * (toMs - fromMs))) });
    await fillMembers(ours.database, { clanId, prefix: "gained-", members, entries, factsOf, print });
  }
  let asked = 0;

  /** Counts all entries of the next clan, and resolves with how long that took. Throws VoidRun. */
  async function count(): Promise<number> {
    const { clanId, secret } = ours.clans[asked % CLANS] ?? { clanId: "", secret: "" };
    asked += 1;
    // A span that nobody has asked for.
    const [from, to] = [fromMs - asked, toMs].map((ms) => new Date(ms).toISOString());
    const url = `http://127.0.0.1:${ours.port}/v0/clans/${clanId}/gains?from=${from}&to=${to}&limit=1`;
    const beganMs = performance.now();
    for (;;) {
      const response = await fetch(url, { headers: { "api-key": secret } });
      const { totals } = Counted.parse(await response.json());
      const tookMs = performance.now() - beganMs;
      if (response.status === 200 && totals?.awards === entries) return tookMs;
      if (response.status !== 202) throw new VoidRun(`gains: ${response.status}, ${totals?.awards} of ${entries}`);
      if (tookMs > COUNT_MS_MAX) throw new VoidRun("gains: they are not counted in time");
      await pause(ASK_AGAIN_MS);
    }
  }

  let stop = new AbortController();
  let counting: Promise<string | null> = Promise.resolve(null);
  async function countUntil(signal: AbortSignal): Promise<null> {
    while (!signal.aborted) await count();
    return null;
  }
  return {
    ...ours,
    beside: {
      async begin() {
        stop = new AbortController();
        counting = countUntil(stop.signal).catch(messageOf);
      },
      // What is being counted is counted to its end.
      async end() {
        stop.abort();
        return counting;
      },
    },
    measureSizes: async () => ({ gainsS: (await count()) / 1_000 }),
  };
}
