// An award store in memory that keeps the real one's promises, and one around it that fails in every way the real one may.
// test/store/award-store.test.ts holds the first against the same suite as MongoDB's.
import { AppError } from "#domain/app-error.ts";
import type { Award, Entry } from "#domain/award.ts";
import type { Head } from "#domain/member.ts";
import { memberIdOf, type AwardStore, type CommitResult, type MemberCommit, type MemberId, type MemberRef } from "#usecases/ports.ts";
import type { Chance } from "./random.ts";

export type FakeStore = AwardStore & { entries(): Entry[]; head(member: MemberRef): Head | undefined };

/** All of a commit or nothing of it, fenced by `seq`, one entry under one key. */
export function makeFakeStore(): FakeStore {
  const heads = new Map<MemberId, Head>();
  const ledger = new Map<MemberId, Map<string, Entry>>();

  function clash(commits: readonly MemberCommit[]): string | null {
    for (const { clanId, platformId, before, after, entries } of commits) {
      const id = memberIdOf({ clanId, platformId });
      const head = heads.get(id);
      if ((head?.seq ?? 0) !== (before?.seq ?? 0) || (before !== null && head === undefined)) return `the head of ${id} moved on`;
      if (after.membership !== null && !before?.membership && head?.membership) return `${id} has a membership already`;
      const seen = new Set(ledger.get(id)?.keys());
      for (const { key } of entries) {
        if (seen.has(key)) return `${id} has an entry under ${key}`;
        seen.add(key);
      }
    }
    return null;
  }

  return {
    async readHeads(members) {
      const found = members.map((member) => [memberIdOf(member), heads.get(memberIdOf(member))] as const);
      return new Map(found.filter((pair): pair is readonly [MemberId, Head] => pair[1] !== undefined));
    },
    async readEntries(awards) {
      const found = new Map<MemberId, Map<string, Entry>>();
      for (const award of awards) {
        const id = memberIdOf(award);
        const entry = ledger.get(id)?.get(award.key);
        if (entry) found.set(id, (found.get(id) ?? new Map<string, Entry>()).set(award.key, entry));
      }
      return found;
    },
    async commit(commits) {
      const clashing = clash(commits);
      if (clashing !== null) return { kind: "conflict", cause: new Error(clashing) };
      for (const { clanId, platformId, after, entries } of commits) {
        const id = memberIdOf({ clanId, platformId });
        heads.set(id, after);
        const ofMember = ledger.get(id) ?? new Map<string, Entry>();
        ledger.set(id, ofMember);
        for (const entry of entries) ofMember.set(entry.key, entry);
      }
      return { kind: "committed" };
    },
    entries: () => [...ledger.values()].flatMap((ofMember) => [...ofMember.values()]),
    head: (member) => heads.get(memberIdOf(member)),
  };
}

/** How often what goes wrong, as shares of all calls. `zombie`: called unknown now, and carried out later. */
export type Trouble = {
  readFails: number;
  unavailable: number;
  conflict: number;
  unknownApplied: number;
  unknownLost: number;
  zombie: number;
  delayMs: number;
};

/** One process's way to the shared store: slow and unreliable as `trouble` says, never untrue about what it says for certain. */
export function makeTroubledStore(store: AwardStore, trouble: () => Trouble, chance: Chance): AwardStore {
  const delay = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, chance.next() * trouble().delayMs));
  const cause = new Error("made up");

  async function read<T>(operation: () => Promise<T>): Promise<T> {
    await delay();
    if (chance.hits(trouble().readFails)) throw new AppError("unavailable", "made up", { cause });
    const result = await operation();
    await delay();
    return result;
  }

  async function commit(commits: readonly MemberCommit[]): Promise<CommitResult> {
    await delay();
    const { unavailable, conflict, unknownApplied, unknownLost, zombie } = trouble();
    if (chance.hits(unavailable)) return { kind: "unavailable", cause };
    if (chance.hits(conflict)) return { kind: "conflict", cause };
    if (chance.hits(unknownLost)) return { kind: "unknown", cause };
    if (chance.hits(zombie)) {
      setTimeout(() => void store.commit(commits), chance.int(1, 15_000));
      return { kind: "unknown", cause };
    }
    const result = await store.commit(commits);
    await delay();
    return result.kind === "committed" && chance.hits(unknownApplied) ? { kind: "unknown", cause } : result;
  }

  return {
    readHeads: (members: readonly MemberRef[]) => read(() => store.readHeads(members)),
    readEntries: (awards: readonly Award[]) => read(() => store.readEntries(awards)),
    commit,
  };
}
