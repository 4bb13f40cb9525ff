// Counting members whose chains have any length, read slowly or changed meanwhile.
import { expect, test } from "vitest";
import type { CountedEntry, Standing } from "#domain/standing.ts";
import { makeCountAnew } from "#boards/count-anew.ts";
import type { StandingStore, StoredPeriod, UncountedEntries } from "#boards/ports.ts";

const at = new Date("2026-11-21T12:00:00Z");
const later = (ms: number): Date => new Date(at.getTime() + ms);
const times = { begunAt: at, countedAt: null, startsAt: at, endsAt: later(1e9), finalAt: later(2e9) };
const ids = { boardUid: "uid", boardId: "b", periodId: "20261121T000000Z", rows: "rows" };
const period: StoredPeriod = { ...ids, ...times, isFinal: false, members: null, isSilent: false };
const entryOf = (seq: number, applied = 1n): CountedEntry => ({ seq, at, applied, removed: false, what: "award" });
const chainOf = (length: number): CountedEntry[] => Array.from({ length }, (_, index) => entryOf(index + 1));

/** Of each member, a chain. `readMs`: how long each read takes. */
function fakes(chains: Map<string, CountedEntry[]>, readMs: number) {
  const clock = { nowMs: 0, agingMs: () => clock.nowMs };
  const memory = { reads: 0, held: new Map<string, number>(), most: 0 };
  let read: ((part: { platformId: string; from: number }) => void) | null = null;
  const entries: Pick<UncountedEntries, "readChain"> = {
    async readChain({ platformId }, { from, limit }) {
      memory.reads += 1;
      clock.nowMs += readMs;
      read?.({ platformId, from });
      const part = (chains.get(platformId) ?? []).filter(({ seq }) => seq >= from).slice(0, limit);
      memory.held.set(platformId, part.length);
      memory.most = Math.max(
        memory.most,
        [...memory.held.values()].reduce((sum, one) => sum + one),
      );
      return part;
    },
  };
  const stored = new Map<string, Standing>();
  const standings: Pick<StandingStore, "write"> = {
    async write(writes) {
      for (const { member, standing } of writes)
        if ((stored.get(member.platformId)?.seq ?? 0) <= standing.seq) {
          stored.set(member.platformId, standing);
          memory.held.delete(member.platformId);
        }
    },
  };
  const onRead = (act: NonNullable<typeof read>): void => void (read = act);
  return { clock, memory, stored, onRead, deps: { entries, standings, clock } };
}

const rest = async (): Promise<void> => {};
const membersOf = (chains: ReadonlyMap<string, unknown>) => new Map([...chains.keys()].map((id) => [id, 1]));

test("chains of any length are counted, while memory holds a bounded number of their entries", async () => {
  const chains = new Map(Array.from({ length: 16 }, (_, member) => [`m${member}`, chainOf(1_000)]));
  // Together, the reads take much longer than what was read for a write may be old.
  const { deps, memory, stored } = fakes(chains, 50);
  const countAnew = makeCountAnew({ ...deps, entriesMax: 400 });
  const rests: number[] = [];
  const noteRest = async (tookMs: number): Promise<void> => void rests.push(tookMs);
  await countAnew("c", membersOf(chains), { stillOpen: async () => [period], rest: noteRest });
  const counted = [...stored.values()].map(({ xp, seq }) => [Number(xp), seq]);
  expect(counted).toStrictEqual(Array.from(chains, () => [1_000, 1_000]));
  // Each part is read with the entry before it, also the one behind what was written.
  expect(memory.most).toBeLessThanOrEqual(400 + 16);
  expect(memory.reads).toBeLessThanOrEqual(16 * 22);
  // After each whole part, and after each 8 members.
  expect(rests).toHaveLength(16 * 20 + 2);
  expect(Math.min(...rests)).toBeGreaterThanOrEqual(50);
});

test("no part is read again because it was read slowly, and an unending slowness is an error", async () => {
  const chains = new Map([["m", chainOf(100)]]);
  const { deps, clock, stored, memory, onRead } = fakes(chains, 0);
  const countAnew = makeCountAnew({ ...deps, entriesMax: 80 });
  // Reads of entries take 4 s each.
  onRead(({ from }) => (clock.nowMs += from < 100 ? 4_000 : 10));
  await countAnew("c", membersOf(chains), { stillOpen: async () => [period], rest });
  expect(stored.get("m")).toMatchObject({ xp: 100n, seq: 100 });
  expect(memory.reads).toBeLessThanOrEqual(12);
  onRead(() => (clock.nowMs += 4_000));
  await expect(countAnew("c", membersOf(chains), { stillOpen: async () => [period], rest })).rejects.toMatchObject({
    code: "unavailable",
  });
});

test("a member who is erased meanwhile, or awarded and counted by others, is counted as the chain is then", async () => {
  const chains = new Map([
    ["erased", chainOf(100)],
    ["anew", chainOf(100)],
    ["awarded", chainOf(100)],
  ]);
  const { deps, stored, onRead } = fakes(chains, 0);
  onRead(({ platformId, from }) => {
    if (from !== 50) return;
    if (platformId === "erased") chains.delete("erased");
    if (platformId === "anew")
      chains.set(
        "anew",
        [...chainOf(60)].map((entry) => ({ ...entry, applied: 2n })),
      );
    if (platformId !== "awarded") return;
    chains.get("awarded")?.push(entryOf(101));
    // From a mark, without the entries before it.
    stored.set("awarded", { xp: 1n, awards: 1, seq: 101, reachedAt: at, removed: false });
  });
  const countAnew = makeCountAnew({ ...deps, entriesMax: 80 });
  await countAnew("c", membersOf(chains), { stillOpen: async () => [period], rest });
  expect(new Map([...stored].map(([id, { xp, seq }]) => [id, [Number(xp), seq]]))).toStrictEqual(
    new Map([
      ["anew", [120, 60]],
      ["awarded", [101, 101]],
    ]),
  );
});

test("a member is counted from the first entry that concerns the periods, or anew if the chain is another one by then", async () => {
  const before = chainOf(49).map((entry) => ({ ...entry, at: later(-1) }));
  const chains = new Map([
    ["long", [...before, ...chainOf(100).slice(49)]],
    ["anew", chainOf(60)],
  ]);
  const { deps, stored, memory } = fakes(chains, 0);
  const from = new Map([...chains.keys()].map((id) => [id, 50]));
  await makeCountAnew(deps)("c", from, { stillOpen: async () => [period], rest });
  expect([...stored].map(([id, { xp }]) => [id, Number(xp)])).toStrictEqual([
    ["long", 51],
    ["anew", 60],
  ]);
  // What follows is read once a standing is written.
  expect(memory.reads).toBe(2 + 3);
});

test("a member whose stored standing contains what the ledger does not have ends the count, as does a board's end", async () => {
  const chains = new Map([["m", chainOf(10)]]);
  const { deps, stored, memory } = fakes(chains, 0);
  stored.set("m", { xp: 9n, awards: 1, seq: 99, reachedAt: at, removed: false });
  const countAnew = makeCountAnew(deps);
  await countAnew("c", membersOf(chains), { stillOpen: async () => [period], rest });
  expect(stored.get("m")?.seq).toBe(99);
  memory.reads = 0;
  await countAnew("c", membersOf(chains), { stillOpen: async () => [], rest });
  expect(memory.reads).toBe(0);
});
