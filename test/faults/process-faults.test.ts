// Real processes, real faults under load: what was acknowledged counts once, what was not can be sent again, batches
// end. With FAULTS_MINUTES the faults go round in seeded order for that long; see `npm run test:faults`.
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { chanceOf, type Chance } from "../support/chance.ts";
import { clusterFaults, type Fault } from "./process-faults.ts";
import { startCluster, type Cluster } from "./cluster.ts";
import { isFirstAnswerMissing } from "../support/oracle.ts";
import { startLoad, type Seen } from "./load.ts";
import type { Target } from "./send.ts";
import { seedOfRun } from "../support/seed.ts";
import { violations } from "./violations.ts";

const MINUTES = Number(process.env["FAULTS_MINUTES"] ?? 0);
/** Of the rounds in which members are erased beside: an erasure takes longer than most faults. */
const ERASING_SHARE = 0.3;
/** A fault and all that is waited for after it. */
const ROUND_MS_MAX = 120_000;
const ROLLING = "rolling restart of two APIs and two workers";

describe.skipIf(process.platform !== "linux")(
  "a cluster of real processes",
  { timeout: MINUTES * 60_000 + ROUND_MS_MAX },
  () => {
    const seed = seedOfRun();
    const chance = chanceOf(seed);
    let cluster: Cluster;
    beforeAll(async () => {
      cluster = await startCluster();
    }, 120_000);
    afterAll(() => cluster.close());

    const short = MINUTES > 0 ? [] : clusterFaults.filter(({ long }) => !long);
    test.for(short.map((fault) => [fault.name, fault] as const))(
      "applies acknowledged awards once and finishes every batch after: %s",
      async ([, fault], { skip }) => {
        const reason = lack(fault, cluster);
        skip(reason !== null, reason ?? "");
        expect(await roundOf(fault, cluster, chance)).toStrictEqual([]);
      },
    );

    test.skipIf(MINUTES > 0)(`answers every accepted request and fails none during a ${ROLLING}`, async () => {
      expect(await roll(cluster, seed)).toStrictEqual([]);
    });

    test.runIf(MINUTES > 0)(
      `loses nothing and applies nothing twice during ${MINUTES} minutes of alternating faults`,
      async () => {
        const endMs = performance.now() + MINUTES * 60_000;
        const found: string[] = [];
        const possible = clusterFaults.filter((fault) => lack(fault, cluster) === null);
        while (performance.now() < endMs) {
          for (const fault of shuffled([...possible, null], chance)) {
            if (performance.now() > endMs) break;
            const name = fault?.name ?? ROLLING;
            const wrong = fault ? await roundOf(fault, cluster, chance) : await roll(cluster, seed);
            process.stdout.write(`${new Date().toISOString()} ${name}: ${wrong.length === 0 ? "kept" : "BROKEN"}\n`);
            found.push(...wrong.map((text) => `${name}: ${text}`));
          }
        }
        expect(found).toStrictEqual([]);
      },
    );
  },
);

async function underLoad(
  { cli }: Cluster,
  { target, seed }: { target: Target; seed: number },
  act: (load: ReturnType<typeof startLoad>) => Promise<void>,
): Promise<Seen> {
  const eraser = MINUTES > 0 && chanceOf(seed).hits(ERASING_SHARE) ? cli : null;
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

async function roundOf(fault: Fault, cluster: Cluster, chance: Chance): Promise<string[]> {
  await cluster.useClocks(fault.needs === "clocks");
  const target = await cluster.makeTarget();
  const seen = await underLoad(cluster, { target, seed: chance.int(1, 2 ** 30) }, async (load) => {
    // Another time in each round: somewhere in a commit, a batch, a pause.
    await pause(chance.int(0, 100));
    await fault.inflict(cluster, load);
  });
  const { statuses } = fault;
  const unanswered = seen.awards.flatMap(({ key, answers }) =>
    answers
      .filter(({ status }) => statuses && !statuses.includes(status))
      .map(({ status, code }) => `${key}: answered ${status} ${code}`),
  );
  return [...cluster.ended(), ...(await violations(fault.name, cluster.database, target.clanId, seen)), ...unanswered];
}

/** Why this machine cannot show the fault, said aloud; null: it can. */
function lack({ name, needs }: Fault, cluster: Cluster): string | null {
  const needed = needs && cluster[needs];
  if (!needed || !("reason" in needed)) return null;
  process.stdout.write(`faults: "${name}" is skipped: ${needed.reason}\n`);
  return needed.reason;
}

async function roll(cluster: Cluster, seed: number): Promise<string[]> {
  const target = await cluster.makeTarget();
  const seen = await underLoad(cluster, { target, seed }, async () => {
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

function shuffled<T>(items: readonly T[], chance: Chance): T[] {
  return items
    .map((item) => ({ item, at: chance.next() }))
    .sort((a, b) => a.at - b.at)
    .map(({ item }) => item);
}
