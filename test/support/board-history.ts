// A random history of a clan with boards: awards, deductions, batches, changes by people, reversals and removals, by
// processes whose clocks are right or wrong.
import { openLedger } from "../../apps/cli/open/ledger.ts";
import { makeStores } from "../../apps/cli/open/stores.ts";
import { awardIdOf } from "#contract/award-id.ts";
import { batchAwardKey, callerAwardKey, reversalKey } from "#domain/award-key.ts";
import type { Award } from "#domain/award.ts";
import type { Entry } from "#domain/entry.ts";
import { systemClock } from "#process/clock.ts";
import type { Chance } from "./chance.ts";
import type { World } from "./world.ts";

const MEMBERS = ["m1", "m2", "m3", "m4", "m5", "m6"];

export type BoardHistory = {
  /** So many changes. */
  run(steps: number): Promise<void>;
  /** Every process projects what it has committed. */
  project(): Promise<boolean>;
  /** The processes end, and others with these clocks take their place. */
  restart(skewsMs: readonly number[]): Promise<void>;
  close(): Promise<void>;
};

/** `skewsMs`: how far the clock of each process is ahead. */
export function boardHistory(world: World, clanId: string, chance: Chance, skewsMs: readonly number[]): BoardHistory {
  const stores = makeStores(world.database);
  const open = (skews: readonly number[]) =>
    skews.map((skewMs) =>
      openLedger({ ...stores, clock: { ...systemClock, now: () => new Date(Date.now() + skewMs) } }),
    );
  let processes = open(skewsMs);
  const applied: Entry[] = [];
  let count = 0;

  async function submit(award: Pick<Award, "platformId" | "key" | "amount"> & Partial<Award>): Promise<void> {
    const { committer } = chance.pick(processes);
    const whole = { clanId, fingerprint: award.key, apiKeyId: "key_1", ...award };
    const outcome = await committer.submit(whole, 10_000);
    if (outcome.kind === "applied" && outcome.entry.kind === undefined) applied.push(outcome.entry);
  }

  /** Reverses an award that was applied, or does nothing if there is none. */
  async function reverseOne(): Promise<void> {
    if (applied.length === 0) return;
    const entry = chance.pick(applied);
    const { platformId, key, seq } = entry;
    const reverses = { key, seq };
    await submit({
      platformId,
      kind: "reversal",
      key: reversalKey(awardIdOf(entry)),
      reverses,
      amount: -entry.applied,
    });
  }

  async function step(): Promise<void> {
    const [platformId, amount] = [chance.pick(MEMBERS), BigInt(chance.int(-5, 20))];
    const key = String((count += 1));
    const drawn = chance.next();
    if (drawn < 0.5) return submit({ platformId, key: callerAwardKey(key), amount });
    if (drawn < 0.65) return submit({ platformId, key: batchAwardKey("bat_1", count), batchId: "bat_1", amount });
    if (drawn < 0.75) return submit({ platformId, key: `-${key}`, amount, actor: "ada", apiKeyId: "cli" });
    if (drawn < 0.9) return reverseOne();
    const ends = chance.hits(0.5) ? ({ ends: true } as const) : {};
    return submit({
      platformId,
      key: `-${key}`,
      kind: "membership",
      amount: 0n,
      actor: "ada",
      apiKeyId: "cli",
      ...ends,
    });
  }

  return {
    async run(steps) {
      for (let done = 0; done < steps; done += 5) await Promise.all(Array.from({ length: 5 }, step));
    },
    async project() {
      await Promise.all(processes.map(({ committer }) => committer.projection.flush(clanId)));
      return true;
    },
    async restart(skews) {
      await Promise.all(processes.map((one) => one.close()));
      processes = open(skews);
    },
    close: async () => void (await Promise.all(processes.map((one) => one.close()))),
  };
}
