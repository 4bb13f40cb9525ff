// Those who correct beside the callers of a simulated service: they reverse awards and erase members, each again until
// it is done.
import { awardIdOf } from "#contract/award-id.ts";
import { AppError } from "#kernel/app-error.ts";
import { callerAwardKey } from "#domain/award-key.ts";
import type { ReversalBy } from "#domain/reversal.ts";
import type { EraseMember } from "#erasure/erase-member.ts";
import type { RunReversal } from "#reversals/run-reversal.ts";
import type { SubmitReversal } from "#reversals/submit-reversal.ts";
import type { Chance } from "../support/chance.ts";
import type { SentReversal } from "../support/corrections-oracle.ts";
import type { Callers, SimulatedAward } from "./callers.ts";
import type { FakeReversals } from "./fake-reversals.ts";
import type { FakeStore } from "./fake-store.ts";

/** What a process does for them. */
export type Corrections = { submitReversal: SubmitReversal; runReversal: RunReversal; eraseMember: EraseMember };

export type SimulatedReversal = Pick<SentReversal, "reversalId" | "counts"> & {
  awards: readonly SimulatedAward[];
  sentAtMs: number;
};
export type SimulatedErasure = { erasureId: string; platformId: string; beganAtMs: number; endedAtMs: number };

export type Operators = {
  chance: Chance;
  callers: Callers;
  services: readonly (Corrections & { killed: Promise<void> })[];
  store: FakeStore;
  reversals: FakeReversals;
  reversed: SimulatedReversal[];
  erased: SimulatedErasure[];
};

const REVERSALS_EACH = 3;
const START_MS_MAX = 3_000;
const RETRY_MS_MAX = 1_500;
const TRIES_MAX = 300;

/** Reverses what a member, or everybody, was awarded by then, or one award of a member. */
export async function reverse(operator: number, operators: Operators): Promise<void> {
  const { chance, callers, reversals, reversed } = operators;
  for (let index = 0; index < REVERSALS_EACH; index += 1) {
    await pause(chance, START_MS_MAX);
    const { by, awards } = choose(operators);
    const request = {
      clanId: callers.clan.clanId,
      caller: { keyId: "k" },
      by,
      reason: null,
      idempotencyKey: `undo-${operator}-${index}`,
    };
    const sentAtMs = Date.now();
    const { reversal } = await untilDone(operators, ({ submitReversal }) => submitReversal(request));
    const { reversalId } = reversal;
    await untilDone(operators, async ({ runReversal }) =>
      (await runReversal(reversalId)).kind === "done" ? true : null,
    );
    const done = await reversals.records.read(reversalId);
    if (done?.state !== "done") throw new Error(`${reversalId} is not done`);
    const { selected, reversed: count, skipped } = done;
    reversed.push({ reversalId, counts: { selected, reversed: count, skipped }, awards, sentAtMs });
  }
}

function choose({ chance, callers, store }: Operators): { by: ReversalBy; awards: readonly SimulatedAward[] } {
  const known = callers.sent.filter(({ does, answers }) => !does && answers.some(({ status }) => status === 200));
  const platformId = `m${chance.int(1, callers.members)}`;
  const ofMember = known.filter((award) => award.platformId === platformId);
  const from = new Date(0).toISOString();
  if (chance.hits(0.2)) return { by: { keyId: "k", from }, awards: known };
  if (chance.hits(0.5) || ofMember.length === 0) return { by: { platformId, from }, awards: ofMember };
  const award = chance.pick(ofMember);
  const entry = store.entries().find((one) => one.platformId === platformId && one.key === callerAwardKey(award.key));
  // Erased since.
  if (!entry) return { by: { platformId, from }, awards: ofMember };
  return { by: { platformId, awardId: awardIdOf(entry) }, awards: [award] };
}

export async function erase(operator: number, operators: Operators): Promise<void> {
  const { chance, callers, erased } = operators;
  await pause(chance, START_MS_MAX);
  const platformId = `m${chance.int(1, callers.members)}`;
  const erasure: SimulatedErasure = {
    erasureId: `era-${operator}`,
    platformId,
    beganAtMs: Date.now(),
    endedAtMs: Infinity,
  };
  erased.push(erasure);
  const { erasureId } = erasure;
  await untilDone(operators, ({ eraseMember }) => eraseMember({ erasureId, clanId: callers.clan.clanId, platformId }));
  erasure.endedAtMs = Date.now();
}

/** One process does it, or two at the same time; again if none did it, because it failed or was killed. */
async function untilDone<T>(
  { chance, services }: Operators,
  work: (service: Corrections) => Promise<T | null>,
): Promise<T> {
  for (let tries = 0; tries < TRIES_MAX; tries += 1) {
    const done = await Promise.all(
      Array.from({ length: chance.hits(0.2) ? 2 : 1 }, async () => {
        const service = chance.pick(services);
        const working = work(service).catch((error: unknown) => {
          if (error instanceof AppError) return null;
          throw error;
        });
        return (await Promise.race([working, service.killed])) ?? null;
      }),
    );
    const result = done.find((one) => one !== null);
    if (result !== undefined && result !== null) return result;
    await pause(chance, RETRY_MS_MAX);
  }
  throw new Error("a correction is never settled");
}

function pause(chance: Chance, msMax: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, chance.int(0, msMax)));
}

/** What the oracle may hold against the ledger: of members that were erased since, nothing is known. */
export function expectedReversals({ reversed, erased }: Pick<Operators, "reversed" | "erased">): SentReversal[] {
  return reversed.map(({ awards, counts, sentAtMs, reversalId }) => {
    const since = erased.filter(({ endedAtMs }) => endedAtMs >= sentAtMs);
    const left = awards.filter(
      (award) => !erased.some((one) => one.platformId === award.platformId && one.endedAtMs >= award.firstSentAtMs),
    );
    return {
      reversalId,
      counts: since.length > 0 ? null : counts,
      awards: left.map(({ platformId, key }) => ({ platformId, key: callerAwardKey(key) })),
      selectsMore: true,
    };
  });
}
