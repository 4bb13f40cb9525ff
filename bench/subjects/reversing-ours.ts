// This service with awards to reverse, 100,000 at a time, of members that get no other awards. A worker reverses them
// while it is let.
import { makeJobQueue } from "#queue/job-queue.ts";
import { openBlockingRedis } from "#redis/connection.ts";
import { redisNamespace } from "#redis/namespace.ts";
import { systemClock as clock } from "#process/clock.ts";
import { makeIds } from "#process/ids.ts";
import { digest } from "#process/secrets.ts";
import { makeAwardSelection } from "#reversals/store/award-selection.ts";
import type { Database } from "#mongo/database.ts";
import { makeReversalStore } from "#reversals/store/reversal-store.ts";
import { ENTRIES_PER_STEP, REVERSALS_PER_TURN } from "#reversals/bounds.ts";
import { makeSelectAwards } from "#reversals/select-awards.ts";
import { makeSubmitReversal } from "#reversals/submit-reversal.ts";
import { silentLog as log } from "../../test/support/silent-log.ts";
import { until } from "../../test/support/until.ts";
import { VoidRun } from "../void-run.ts";
import type { Servers } from "../servers.ts";
import { fillMembers } from "./fill-members.ts";
import { startOurs } from "./ours.ts";
import type { Subject } from "./subject.ts";

const AWARDS_EACH = 100_000;
/** As many as a run of five rounds takes at several times the speed that was measured. */
const REVERSALS = 5;
/** A reversal that has less to do could end within the next measurement: another one is begun then. */
const LEFT_MIN = 60_000;
const MEMBERS = 10_000;
const OURS = "reversed-";

export async function startReversingOurs(servers: Servers, print: (line: string) => void): Promise<Subject> {
  const name = "ours-reversing";
  const ours = await startOurs(servers, { name });
  const { database } = ours;
  const clanId = ours.clans[0]?.clanId ?? "";
  await fill(database, clanId, print);
  const redis = openBlockingRedis({ url: servers.redisUrl, log });
  await new Promise((resolve) => redis.once("ready", resolve));
  const queue = makeJobQueue({ redis, namespace: redisNamespace(servers.mongoUrl(`bench-${name}`)), log });
  await queue.pause();
  await ours.startWorker();

  const reversals = makeReversalStore(database, REVERSALS_PER_TURN);
  const selectAwards = makeSelectAwards({
    selection: makeAwardSelection(database, ENTRIES_PER_STEP),
    clock,
  });
  const submit = makeSubmitReversal({
    reversals,
    selectAwards,
    queue: queue.reversals,
    clock,
    digest,
    ids: makeIds(clock),
    log,
  });
  const submitted: string[] = [];

  async function left(): Promise<number> {
    const records = await Promise.all(submitted.map((reversalId) => reversals.read(reversalId)));
    return records.reduce(
      (sum, record) => sum + (record && record.state !== "done" ? AWARDS_EACH - record.selected : 0),
      0,
    );
  }

  return {
    ...ours,
    beside: {
      async begin() {
        if ((await left()) < LEFT_MIN) {
          if (submitted.length === REVERSALS)
            throw new VoidRun("everything is reversed: measure fewer rounds, or shorter ones");
          const by = { matchId: matchOf(submitted.length) };
          const { reversal } = await submit({
            clanId,
            caller: { keyId: "bench" },
            by,
            reason: null,
            idempotencyKey: null,
          });
          submitted.push(reversal.reversalId);
        }
        await queue.resume();
        const before = await left();
        await until(async () => (await left()) < before);
      },
      async end() {
        const isIdle = (await left()) === 0;
        await queue.pause();
        await until(async () => (await queue.status()).active === 0);
        return isIdle ? "the reversals were done before the measurement" : null;
      },
    },
    // Of those that the load awards; their entries are in the same ledger as the reversals, and are verified at the
    // end.
    readTotals: () => readTotals(database),
    async close() {
      await queue.resume();
      await queue.close();
      redis.disconnect();
      await ours.close();
    },
  };
}

const matchOf = (reversal: number): string => `reversed-${reversal}`;

/** Each member has as many awards in each match. All of them are a while ago, and a millisecond apart. */
function fill(database: Database, clanId: string, print: (line: string) => void): Promise<void> {
  const entries = REVERSALS * AWARDS_EACH;
  const fromMs = Date.now() - 2 * entries;
  const factsOf = (index: number) => ({
    source: { matchId: matchOf(Math.floor(index / AWARDS_EACH)) },
    at: new Date(fromMs + index),
  });
  return fillMembers(database, { clanId, prefix: OURS, members: MEMBERS, entries, factsOf, print });
}

async function readTotals(database: Database): ReturnType<NonNullable<Subject["readTotals"]>> {
  const [sum] = await database
    .db()
    .collection("members")
    .aggregate<{ xp: bigint | number }>([
      { $match: { platformId: { $not: { $regex: `^${OURS}` } } } },
      { $group: { _id: null, xp: { $sum: "$xp" } } },
    ])
    .toArray();
  return { xp: BigInt(sum?.xp ?? 0), entries: null };
}
