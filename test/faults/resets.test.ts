// Resets whose worker is killed, at whichever step, and whose last words reach MongoDB late, while awards go on:
// each one ends, takes from each member once what they had at its time, and its counts are true.
import { describe, expect, test, vi } from "vitest";
import { resetKey } from "#domain/award-key.ts";
import { AWARDS_PER_CALL_MAX } from "#domain/bounds.ts";
import type { Entry } from "#domain/entry.ts";
import { lossOf, type Reset } from "#domain/reset.ts";
import { entryOfDoc, type EntryDoc } from "#ledger/store/entry-model.ts";
import { makeResetStore } from "#resets/store/reset-store.ts";
import { makeIds } from "#process/ids.ts";
import { systemClock } from "#process/clock.ts";
import { REVERSALS_AT_ONCE } from "#reversals/bounds.ts";
import { makeSubmitReset } from "#resets/submit-reset.ts";
import { testActor } from "../support/actor.ts";
import { makeClanCaller, type ClanCaller } from "../support/clan-caller.ts";
import { patientCliOn } from "../support/cli.ts";
import { startProcess } from "../support/processes.ts";
import { openProxies, type Proxies } from "../support/proxies.ts";
import { expectResponse } from "../support/responses.ts";
import { silentLog } from "../support/silent-log.ts";
import { useWorld } from "../support/use-api.ts";

vi.setConfig({ testTimeout: 240_000 });

/**
 * One more commit group than a reset submits together: some of its entries are committed when the process is killed.
 */
const MEMBERS_OF_TWO_GROUPS = REVERSALS_AT_ONCE + 20;
const KEEP_PERCENT = 30;

const world = await useWorld();
const cli = patientCliOn({ MONGO_URL: world.mongoUrl, REDIS_URL: world.redisUrl });
const { port } = await world.startApi();
const resets = makeResetStore(world.database, 500);

/** Submitted at this moment, without a job: the recovery scan of a worker finds it. */
async function submit({ clanId }: ClanCaller, at: Date | null): Promise<string> {
  const submitReset = makeSubmitReset({
    resets,
    selection: { newestAt: async () => null },
    queue: { add: async () => {} },
    clock: systemClock,
    ids: makeIds(systemClock),
    log: silentLog,
  });
  const submitted = await submitReset({ clanId, at, keepPercent: KEEP_PERCENT, reason: null }, testActor);
  if (submitted.kind !== "accepted") throw new Error(submitted.detail);
  return submitted.reset.reversalId;
}

async function isDone(resetId: string): Promise<boolean> {
  return (await resets.read(resetId))?.state === "done";
}
const seldom = (isSo: () => Promise<boolean>): Promise<unknown> =>
  vi.waitUntil(isSo, { interval: 100, timeout: 100_000 });

async function play(clan: ClanCaller, members: number): Promise<void> {
  const awards = Array.from({ length: members }, (_, index) => ({ platformId: `p${index}`, amount: 10 + index }));
  for (let first = 0; first < members; first += AWARDS_PER_CALL_MAX)
    expectResponse("apply-awards", await clan.awards(awards.slice(first, first + AWARDS_PER_CALL_MAX)));
}

/** Where the ledger and the counts of the clan's resets differ from what they must be, in the order of their runs. */
async function wrongWith(clan: ClanCaller, resetId: string): Promise<string[]> {
  const { clanId } = clan;
  const docs = await world.database.db().collection<EntryDoc>("ledger").find({ "_id.clanId": clanId }).toArray();
  const reset = (await resets.read(resetId)) as Reset;
  const wrong: string[] = [];
  let [members, amount] = [0, 0n];
  for (const [platformId, entries] of Map.groupBy(docs.map(entryOfDoc), (entry) => entry.platformId)) {
    const taken = entries.filter(({ key }) => key === resetKey(resetId));
    const had = sumOf(entries.filter(({ kind, at }) => kind === undefined && at <= reset.selection.at));
    const loss = lossOf(had, KEEP_PERCENT);
    if (taken.length !== (loss > 0n ? 1 : 0) || sumOf(taken) !== -loss)
      wrong.push(`${platformId} had ${had} and lost ${sumOf(taken)} in ${taken.length} entries`);
    members += taken.length;
    amount += loss;
  }
  if (reset.reversed !== members || reset.amount !== amount)
    wrong.push(`counted ${reset.reversed} members and ${reset.amount} XP of ${members} and ${amount}`);
  await cli.json("rebuild", "--clan", clanId);
  const { answer } = await cli.json("reconcile", "--clan", clanId);
  return [...wrong, ...answer.differences.map((one: object) => JSON.stringify(one))];
}

function sumOf(entries: readonly Entry[]): bigint {
  return entries.reduce((sum, { applied }) => sum + applied, 0n);
}

type Step = {
  members: number;
  /** What the worker sends at this step. */
  text: (resetId: string) => string;
  /** Executed, and its answer is lost; or it arrives only when another worker has ended the reset. */
  arrives: "in time" | "late";
};
const last = (resetId: string): string => resetKey(resetId);
const steps: Record<string, Step> = {
  "is to be recorded as done": { members: 3, text: () => "skipped", arrives: "late" },
  "has inserted its first entries": { members: MEMBERS_OF_TWO_GROUPS, text: last, arrives: "in time" },
  "is to insert its first entries": { members: MEMBERS_OF_TWO_GROUPS, text: last, arrives: "late" },
};

describe("a reset", () => {
  test.for(Object.entries(steps))(
    "whose worker is killed when it %s is finished by another one",
    async ([, { members, text, arrives }], { onTestFinished }) => {
      const proxies = await openProxies(world);
      onTestFinished(() => proxies.close());
      const clan = await makeClanCaller(world, port);
      await play(clan, members);
      const doomed = startProcess("worker", { MONGO_URL: proxies.config.mongoUrl, REDIS_URL: world.redisUrl });
      onTestFinished(async () => void (await doomed.stop()));
      await doomed.ready();

      const resetId = await submit(clan, null);
      const deliver = await reach(proxies, text(resetId), arrives);
      process.kill(doomed.pid, "SIGKILL");
      await doomed.ended();
      await play(clan, 3);

      const successor = await world.startWorker();
      await seldom(() => isDone(resetId));
      await deliver?.();
      await successor.close();
      expect(await wrongWith(clan, resetId)).toStrictEqual([]);
    },
  );

  test("of a time that is to come is exact beside two workers and awards that go on", async ({ onTestFinished }) => {
    const clan = await makeClanCaller(world, port);
    const { port: otherPort } = await world.startApi();
    const workers = await Promise.all([world.startWorker(), world.startWorker()]);
    onTestFinished(async () => void (await Promise.all(workers.map((worker) => worker.close()))));
    await play(clan, 50);
    const resetId = await submit(clan, new Date(Date.now() + 1_500));
    const over = new AbortController();
    const callers = [clan, clan.on(otherPort)].map(async (caller) => {
      for (let index = 0; !over.signal.aborted; index += 1)
        await caller.award(`p${index % 60}`, { amount: 1 + (index % 5) });
    });
    await seldom(() => isDone(resetId));
    over.abort();
    await Promise.all(callers);
    expect(await wrongWith(clan, resetId)).toStrictEqual([]);
  });
});

/** Resolves once the worker has sent this; with what delivers it, where it is to arrive late. */
async function reach(
  { mongo }: Proxies,
  text: string,
  arrives: Step["arrives"],
): Promise<(() => Promise<void>) | null> {
  if (arrives === "late") return mongo.holdBack(text);
  await mongo.cutAfter("there", { text }, { silently: true });
  return null;
}
