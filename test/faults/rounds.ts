// One round of a fault: a load from before it to after it, and what the oracle says then.
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { chanceOf, type Chance } from "../support/chance.ts";
import { isFirstAnswerMissing } from "../support/oracle.ts";
import { seedOfRun } from "../support/seed.ts";
import { startCluster, type Cluster } from "./cluster.ts";
import { startLoad, type Seen } from "./load.ts";
import type { Fault } from "./fault.ts";
import type { Target } from "./send.ts";
import { violations } from "./violations.ts";

/** So long do faults go round in seeded order, instead of once each; see `npm run test:faults`. */
export const MINUTES = Number(process.env["FAULTS_MINUTES"] ?? 0);
/** Of the rounds, but not in `npm test`, in which members are erased beside: an erasure takes longer than most faults. */
const ERASING_SHARE = 0.3;
/** Six processes, one after the other, beside other suites. */
const START_MS_MAX = 300_000;
/** A fault and all that is waited for after it. */
const ROUND_MS_MAX = 120_000;
export const ROLLING = "rolling restart of two APIs and two workers";

/** The tests of one cluster, which runs until they have ended. */
export function describeCluster(declare: (cluster: () => Cluster) => void): void {
  const timeout = MINUTES * 60_000 + ROUND_MS_MAX;
  describe.skipIf(process.platform !== "linux")("a cluster of real processes", { timeout }, () => {
    let cluster: Cluster;
    beforeAll(async () => {
      cluster = await startCluster();
    }, START_MS_MAX);
    afterAll(() => cluster.close());
    declare(() => cluster);
  });
}

/** A round of each. */
export function testEach(faults: readonly Fault[], cluster: () => Cluster): void {
  const chance = chanceOf(seedOfRun());
  test.for(faults.map((fault) => [fault.name, fault] as const))(
    "applies acknowledged awards once and finishes every batch after: %s",
    async ([, fault], { skip }) => {
      const reason = lack(fault, cluster());
      skip(reason !== null, reason ?? "");
      expect(await roundOf(fault, cluster(), chance)).toStrictEqual([]);
    },
  );
}

async function underLoad(
  { cli }: Cluster,
  { target, seed, often = false }: { target: Target; seed: number; often?: boolean | undefined },
  act: (load: ReturnType<typeof startLoad>) => Promise<void>,
): Promise<Seen> {
  const mayErase = MINUTES > 0 || !often;
  const eraser = mayErase && chanceOf(seed).hits(ERASING_SHARE) ? cli : null;
  const load = startLoad(target, {
    callers: 12,
    members: 8,
    queues: 2,
    batchers: 2,
    reversers: 1,
    operator: cli,
    eraser,
    seed,
  });
  await load.acknowledged(60);
  await act(load);
  await load.acknowledged(100);
  return load.stop();
}

export async function roundOf(fault: Fault, cluster: Cluster, chance: Chance): Promise<string[]> {
  await cluster.useClocks(fault.needs === "clocks");
  const target = await cluster.makeTarget();
  const { statuses, often, slowestMsMax = Infinity } = fault;
  const seen = await underLoad(cluster, { target, seed: chance.int(1, 2 ** 30), often }, async (load) => {
    // Another time in each round: somewhere in a commit, a batch, a pause.
    await pause(chance.int(0, 100));
    await fault.inflict(cluster, load);
  });
  const unanswered = seen.awards.flatMap(({ key, answers }) =>
    answers
      .filter(({ status }) => statuses && !statuses.includes(status))
      .map(({ status, code }) => `${key}: answered ${status} ${code}`),
  );
  const late = seen.slowestMs > slowestMsMax ? [`an award was answered after ${seen.slowestMs} ms`] : [];
  return [
    ...cluster.ended(),
    ...(await violations(fault.name, cluster.database, target.clanId, seen)),
    ...unanswered,
    ...late,
  ];
}

/** Why this machine cannot show the fault, said aloud; null: it can. */
export function lack({ name, needs }: Fault, cluster: Cluster): string | null {
  const needed = needs && cluster[needs];
  if (!needed || !("reason" in needed)) return null;
  process.stdout.write(`faults: "${name}" is skipped: ${needed.reason}\n`);
  return needed.reason;
}

export async function roll(cluster: Cluster, seed: number): Promise<string[]> {
  const target = await cluster.makeTarget();
  const seen = await underLoad(cluster, { target, seed, often: true }, async () => {
    await Promise.all([cluster.roll("api"), cluster.roll("worker")]);
  });
  const answers = seen.awards.flatMap(({ key, answers: ofAward }) => ofAward.map((answer) => ({ key, ...answer })));
  return [
    ...(await violations(ROLLING, cluster.database, target.clanId, seen)),
    // A connection that failed, or ended before its request was read, had no effect; a replay would show the opposite.
    ...seen.awards.filter(isFirstAnswerMissing).map(({ key }) => `${key}: applied, but its first answer never came`),
    ...answers
      .filter(({ status }) => status !== 200 && status !== 0)
      .map(({ key, status, code }) => `${key}: answered ${status} ${code}`),
  ];
}
