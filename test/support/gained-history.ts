// A ledger of some months with everything that is and is not gained: awards alone and in batches, deductions, awards
// that a boost raised or a cap shortened, changes by people, imports, cancelled entries of batches, memberships,
// removals, resets, and reversals at any time. The product's own committers make it, whose clocks differ, so times do
// not follow the numbers of entries.
import type { Award } from "#domain/award.ts";
import {
  batchAwardKey,
  callerAwardKey,
  CANCELLATION,
  importKey,
  ownAwardKey,
  resetKey,
  reversalKey,
} from "#domain/award-key.ts";
import { CANCELLED_DETAIL } from "#domain/batch.ts";
import type { Clan } from "#domain/clan.ts";
import type { Entry } from "#domain/entry.ts";
import { systemClock } from "#process/clock.ts";
import { awardIdOf } from "#contract/award-id.ts";
import { openLedger } from "../../apps/cli/open/ledger.ts";
import { makeStores } from "../../apps/cli/open/stores.ts";
import type { Chance } from "./chance.ts";
import type { World } from "./world.ts";

export const HISTORY = { from: Date.parse("2026-02-01T00:00:00Z"), to: Date.parse("2026-06-01T00:00:00Z") };
const [HOUR_MS, DAY_MS] = [3_600_000, 86_400_000];
/** Of the clocks of the three processes. */
const SKEWS_MS = [0, -2 * DAY_MS, 90_000];
const CHANGES_PER_MEMBER = 20;
/** Members who are changed at the same time. */
const TOGETHER = 8;
const COMMIT_MS_MAX = 60_000;

type Made = { entries: Entry[]; reversed: Set<number> };

/** Makes it for members `m0`, `m1`, …; each has an entry with an award. */
export async function makeHistory(world: World, clanId: string, chance: Chance, members: number): Promise<void> {
  const rules = rulesOf((await world.clans.read([clanId])).get(clanId));
  const stores = { ...makeStores(world.database), clans: { read: async () => new Map([[clanId, rules]]) } };
  let nowMs = HISTORY.from;
  const ledgers = SKEWS_MS.map((skewMs) => {
    const now = (): Date => new Date(Math.min(HISTORY.to - 1, nowMs + skewMs));
    return openLedger({ ...stores, clock: { ...systemClock, now } });
  });
  const made = new Map<string, Made>();
  const steps = Math.ceil((members * CHANGES_PER_MEMBER) / TOGETHER);
  for (let step = 0; step <= steps; step += 1) {
    // A whole hour now and then, so that spans begin and end exactly at an award.
    nowMs = HISTORY.from + ((HISTORY.to - HISTORY.from) * (step + chance.next())) / steps;
    nowMs = chance.hits(0.3) ? Math.floor(nowMs / HOUR_MS) * HOUR_MS : Math.floor(nowMs);
    const first = step * TOGETHER;
    const drawn = Array.from({ length: TOGETHER }, (_, index) =>
      first + index < members ? first + index : chance.int(0, members - 1),
    );
    await Promise.all([...new Set(drawn)].map((index) => change(`m${index}`, `${step}`)));
  }
  for (const { close } of ledgers) await close();

  async function change(platformId: string, name: string): Promise<void> {
    const known = made.get(platformId) ?? { entries: [], reversed: new Set() };
    made.set(platformId, known);
    const award = { clanId, platformId, fingerprint: name, apiKeyId: "a", ...changeOf(known, chance, name) } as const;
    const outcome = await chance.pick(ledgers).committer.submit(award, COMMIT_MS_MAX);
    if (outcome.kind === "applied") known.entries.push(outcome.entry);
  }
}

/** Boosts of several weeks, and a cap, a floor and a daily cap that awards meet. */
function rulesOf(clan: Clan | undefined): Clan {
  if (!clan) throw new Error("there is no such clan");
  const boosts = [20, 70].map((day, index) => {
    const from = new Date(HISTORY.from + day * DAY_MS);
    const window = { from, to: new Date(from.getTime() + 15 * DAY_MS) };
    return { boostId: `b${index}`, name: "Double", percent: 200, ...window, ranks: [], placeIds: [] };
  });
  return { ...clan, xpFloor: -6n, xpCap: 60n, dailyCap: { xp: 25n, since: 1 }, boosts };
}

type Change = Omit<Award, "clanId" | "platformId" | "fingerprint" | "apiKeyId"> & { fingerprint?: string };

function changeOf({ entries, reversed }: Made, chance: Chance, name: string): Change {
  const drawn = chance.next();
  const amount = BigInt(chance.int(-8, 20));
  const byPerson = { actor: "ada", apiKeyId: "cli" } as const;
  const inBatch = { key: batchAwardKey("bat_1", Number(name)), batchId: "bat_1" };
  const last = entries.at(-1);
  if (!last) return { key: callerAwardKey(name), amount };
  if (drawn < 0.1) return { ...inBatch, amount };
  if (drawn < 0.14) return { ...inBatch, fingerprint: CANCELLATION, amount: 0n, reason: CANCELLED_DETAIL };
  if (drawn < 0.2) return { key: ownAwardKey(name), amount, ...byPerson };
  if (drawn < 0.26) return { key: importKey("xp", name), amount, importName: "old-bot", ...byPerson };
  if (drawn < 0.3) return { kind: "reset", key: resetKey(name), seenSeq: last.seq, amount: -5n, ...byPerson };
  if (drawn < 0.36) {
    const ends = chance.hits(0.5) ? ({ ends: true } as const) : {};
    return { kind: "membership", key: ownAwardKey(name), amount: 0n, ...ends, ...byPerson };
  }
  if (drawn < 0.5) {
    const entry = chance.pick(entries);
    if (entry.kind === undefined && !reversed.has(entry.seq)) {
      reversed.add(entry.seq);
      const { seq, key, applied } = entry;
      return { kind: "reversal", key: reversalKey(awardIdOf(entry)), reverses: { key, seq }, amount: -applied };
    }
  }
  return { key: callerAwardKey(name), amount };
}
