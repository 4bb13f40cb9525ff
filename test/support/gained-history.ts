// A ledger of some months with everything that is and is not gained: awards alone and in batches, deductions, awards
// that were raised or shortened, changes by people, imports, cancelled entries of batches, memberships, removals,
// resets, and reversals at any time. The clocks of its writers differ, so times do not follow the numbers of entries.
// And the oracle: what was gained in a span, by the plainest reading of the rule.
import type { Entry } from "#domain/entry.ts";
import { batchAwardKey, callerAwardKey, CANCELLATION, importKey, resetKey, reversalKey } from "#domain/award-key.ts";
import { headAfter } from "#domain/head.ts";
import { docOfEntry, type EntryDoc } from "#store/ledger/entry-model.ts";
import type { MemberDoc } from "#store/ledger/member-model.ts";
import { awardIdOf } from "#contract/award-id.ts";
import type { Chance } from "./chance.ts";
import { makeEntry } from "./entry.ts";
import type { World } from "./world.ts";

export const HISTORY = { from: Date.parse("2026-02-01T00:00:00Z"), to: Date.parse("2026-06-01T00:00:00Z") };
const HOUR_MS = 3_600_000;

/** Stores such a ledger of so many members, and their documents. */
export async function storeHistory(world: World, clanId: string, chance: Chance, members: number): Promise<void> {
  const chains = Array.from({ length: members }, (_, index) => chainOf(`m${index}`));
  const db = world.database.db();
  await db.collection<EntryDoc>("ledger").insertMany(chains.flat().map(docOfEntry));
  const docs = chains.map((chain): MemberDoc => {
    const [last] = chain.slice(-1) as [Entry];
    const { platformId } = last;
    const head = headAfter({ ...last, memberSince: last.memberSince ?? null });
    return { _id: `${clanId}/${platformId}`, clanId, platformId, ...(head as NonNullable<typeof head>) };
  });
  await db.collection<MemberDoc>("members").insertMany(docs);

  function chainOf(platformId: string): Entry[] {
    const chain: Entry[] = [];
    const reversed = new Set<number>();
    const entries = chance.int(1, 40);
    let since: Date | null = null;
    for (let seq = 1; seq <= entries; seq += 1) {
      // A whole hour now and then, so that spans begin and end exactly at an award.
      const atMs = chance.int(HISTORY.from, HISTORY.to);
      const at = new Date(chance.hits(0.3) ? Math.floor(atMs / HOUR_MS) * HOUR_MS : atMs);
      const changes = changesOf(chain, reversed, seq);
      if (changes.kind === "membership") since = changes.removed ? null : at;
      const applied = changes.applied ?? BigInt(chance.int(-8, 20));
      const xp = (chain.at(-1)?.xp ?? 0n) + applied;
      const facts = { clanId, platformId, seq, at, xp, applied, amount: applied, memberSince: since, lastAwardAt: at };
      chain.push(makeEntry({ ...facts, ...changes }));
    }
    return chain;
  }

  function changesOf(chain: readonly Entry[], reversed: Set<number>, seq: number): Partial<Entry> {
    const drawn = chance.next();
    const byPerson = { actor: "ada", apiKeyId: "cli" } as const;
    const key = `${seq}`;
    if (drawn < 0.1) return { key: batchAwardKey("bat_1", seq), batchId: "bat_1" };
    if (drawn < 0.14)
      return { key: batchAwardKey("bat_1", seq), batchId: "bat_1", fingerprint: CANCELLATION, applied: 0n };
    if (drawn < 0.2) return { key: `-${key}`, ...byPerson };
    if (drawn < 0.26) return { key: importKey("xp", key), ...byPerson };
    if (drawn < 0.3) return { key: resetKey(key), kind: "reset", fingerprint: key, applied: -5n, ...byPerson };
    if (drawn < 0.36)
      return {
        key: `-${key}`,
        kind: "membership",
        applied: 0n,
        ...byPerson,
        ...(chance.hits(0.4) ? { removed: true } : {}),
      };
    if (drawn < 0.5) {
      const entry = chance.pick([...chain, null]);
      if (entry && entry.kind === undefined && !reversed.has(entry.seq)) {
        reversed.add(entry.seq);
        return {
          key: reversalKey(awardIdOf(entry)),
          kind: "reversal",
          reversesSeq: entry.seq,
          applied: -entry.applied,
        };
      }
    }
    return { key: callerAwardKey(key), ...(chance.hits(0.1) ? { amount: 50n } : {}) };
  }
}

export type ExpectedGains = {
  platformId: string;
  xp: string;
  awards: number;
  position: number;
  membership: { since: string } | null;
  firstAwardAt: string;
  lastAwardAt: string;
};

/** In the order of the list. */
export async function expectedGains(world: World, clanId: string, from: Date, to: Date): Promise<ExpectedGains[]> {
  const all = await world.database.db().collection<EntryDoc>("ledger").find({ "_id.clanId": clanId }).toArray();
  const found = [...Map.groupBy(all, ({ _id }) => _id.platformId)].flatMap(([platformId, entries]) => {
    const isAward = ({ kind, actor, fingerprint }: EntryDoc): boolean =>
      kind === undefined && actor === undefined && fingerprint !== CANCELLATION;
    const awards = entries.filter((entry) => isAward(entry) && entry.at >= from && entry.at < to);
    if (awards.length === 0) return [];
    const seqs = new Set(awards.map(({ _id }) => _id.seq));
    const reversals = entries.filter(({ kind, reversesSeq = 0 }) => kind === "reversal" && seqs.has(reversesSeq));
    const xp = [...awards, ...reversals].reduce((sum, { applied }) => sum + BigInt(String(applied)), 0n);
    const times = awards.map(({ at }) => at.toISOString()).toSorted();
    const since = entries.toSorted((a, b) => b._id.seq - a._id.seq)[0]?.memberSince ?? null;
    const membership = since && { since: since.toISOString() };
    const [firstAwardAt = "", lastAwardAt = ""] = [times[0], times.at(-1)];
    return [{ platformId, xp, awards: awards.length, membership, firstAwardAt, lastAwardAt }];
  });
  found.sort((a, b) => {
    const byTime = a.lastAwardAt < b.lastAwardAt ? -1 : Number(a.lastAwardAt > b.lastAwardAt);
    return Number(b.xp - a.xp) || byTime || (a.platformId < b.platformId ? -1 : 1);
  });
  return found.map((one) => {
    const position = 1 + found.filter(({ xp }) => xp > one.xp).length;
    return { ...one, xp: one.xp.toString(), position };
  });
}
