// This service with 1,000,000 old events of its last clan. They are deleted as a worker does it while it is let.
import { pause } from "#async/pause.ts";
import { makeApplyRetention } from "#batches/apply-retention.ts";
import { restAfter } from "#batches/rest-after.ts";
import { EVENTS_PER_DELETION } from "#events/bounds.ts";
import { makeDeleteOldEvents } from "#events/delete-old-events.ts";
import type { EventDoc } from "#events/store/event-model.ts";
import { makeEventUpkeep } from "#events/store/event-upkeep.ts";
import type { Database } from "#mongo/database.ts";
import { systemClock as clock } from "#process/clock.ts";
import { messageOf } from "../../scripts/system/message-of.js";
import { silentLog as log } from "../../test/support/silent-log.ts";
import type { Servers } from "../servers.ts";
import { VoidRun } from "../void-run.ts";
import { startOurs } from "./ours.ts";
import type { Subject } from "./subject.ts";

const EVENTS = 1_000_000;
const EVENTS_PER_INSERT = 5_000;
const MEMBERS = 10_000;
const DAY_MS = 86_400_000;
/** Less than the 30 days of the worker, which deletes none of them by itself. */
const AGE_DAYS = 20;
const RETENTION_DAYS = 10;
/** Of fewer, the time that a million takes says little. */
const LEFT_SHARE_MIN = 0.1;
/** Seeding may be lost with the machine: then the bench is, too. */
const fast = { ordered: false, writeConcern: { w: 1, journal: false } } as const;

export async function startAgingOurs(servers: Servers, print: (line: string) => void): Promise<Subject> {
  const ours = await startOurs(servers, { name: "ours-aging" });
  const { database } = ours;
  const total = Math.ceil(EVENTS * servers.size);
  await fill(database, { clanId: ours.clans.at(-1)?.clanId ?? "", total, print });
  await ours.startWorker();
  let deleted = 0;

  async function deleteUntil(signal: AbortSignal, hasPriority: boolean): Promise<void> {
    const deleteOld = makeDeleteOldEvents(makeEventUpkeep(database), signal);
    const apply = makeApplyRetention({
      async deleteOld(options) {
        const count = await deleteOld(options);
        deleted += count;
        return count;
      },
      limit: EVENTS_PER_DELETION,
      retentionDays: RETENTION_DAYS,
      event: "event.retention",
      pause: (stopping, tookMs) => pause(restAfter(tookMs, hasPriority), stopping),
      clock,
      log,
    });
    await apply(signal);
  }

  let stop = new AbortController();
  let deleting: Promise<string | null> = Promise.resolve(null);
  return {
    ...ours,
    beside: {
      async begin() {
        stop = new AbortController();
        deleting = deleteUntil(stop.signal, true).then(() => null, messageOf);
      },
      async end() {
        const isIdle = deleted >= total;
        stop.abort();
        return (await deleting) ?? (isIdle ? "all old events were deleted before the measurement ended" : null);
      },
    },
    async measureSizes() {
      const left = total - deleted;
      if (left < LEFT_SHARE_MIN * total) throw new VoidRun("too few old events are left: measure fewer rounds");
      const beganMs = performance.now();
      await deleteUntil(new AbortController().signal, false);
      if (deleted !== total) throw new VoidRun(`${deleted} of ${total} old events were deleted`);
      return { oldEventsS: ((performance.now() - beganMs) / 1_000) * (EVENTS / left) };
    },
  };
}

/** The beginning of the clan's chain, as its awards left it on a day that is longer ago than what is stored. */
async function fill(
  database: Database,
  { clanId, total, print }: { clanId: string; total: number; print: (line: string) => void },
): Promise<void> {
  const events = database.db().collection<EventDoc>("events");
  const fromMs = Date.now() - AGE_DAYS * DAY_MS;
  for (let first = 1; first <= total; first += EVENTS_PER_INSERT) {
    const docs = Array.from({ length: Math.min(EVENTS_PER_INSERT, total + 1 - first) }, (_, offset): EventDoc => {
      const n = first + offset;
      const [platformId, seq] = [`aged-${n % MEMBERS}`, Math.ceil(n / MEMBERS)];
      return {
        _id: { clanId, n },
        eventId: `evt_${String(n).padStart(20, "0")}`,
        at: new Date(fromMs + n),
        type: "award.applied",
        subject: `member/${platformId}`,
        seq,
        data: {
          platformId,
          seq,
          amount: 10n,
          applied: 10n,
          xp: BigInt(10 * seq),
          rank: "Guest",
          keyId: "0123456789ab",
        },
      };
    });
    await events.insertMany(docs, fast);
    print(`filling ${clanId}: ${first.toLocaleString("en")} of ${total.toLocaleString("en")} events`);
  }
}
