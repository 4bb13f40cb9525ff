// Reversals' records in memory, and the search for their awards in the simulated ledger: a few entries in each step,
// newest first.
import type { Entry } from "#domain/entry.ts";
import { isReset, type Correction, type ResetSelection } from "#domain/reset.ts";
import type { Reversal, Selection } from "#domain/reversal.ts";
import type { AwardSelection, EntryRef, ReversalStore, SelectedAward } from "#reversals/ports.ts";
import type { FakeStore } from "./fake-store.ts";

/** Few, so that most reversals have several. */
const ENTRIES_PER_STEP = 4;

export type FakeReversals = { records: ReversalStore; selection: AwardSelection };

export function makeFakeReversals(store: Pick<FakeStore, "heldEntries">): FakeReversals {
  const records = new Map<string, Reversal>();
  const read: ReversalStore["read"] = async (reversalId) => records.get(reversalId) ?? null;
  const reversalIn = (correction: Correction): Reversal => {
    if (isReset(correction)) throw new Error("nobody resets here");
    return correction;
  };
  const findByKey: ReversalStore["findByKey"] = async ({ clanId, idempotencyKey }) =>
    [...records.values()].find((one) => one.clanId === clanId && one.idempotencyKey === idempotencyKey) ?? null;

  const selection: AwardSelection = {
    read: (selected, position, { after } = {}) => readStep(store.heldEntries(), selected, Number(position), after),
    async newestAt() {
      const times = store.heldEntries().map(({ at }) => at.getTime());
      return times.length === 0 ? null : new Date(Math.max(...times));
    },
    newestSeq: async ({ platformId }) =>
      Math.max(0, ...store.heldEntries().map((entry) => (entry.platformId === platformId ? entry.seq : 0))),
    hasFewer: async () => false,
    resetState: async () => null,
    isResetBlocked: async () => false,
  };
  return {
    selection,
    records: {
      async insert(reversal) {
        const { clanId, idempotencyKey } = reversal;
        const bound = idempotencyKey === null ? null : await findByKey({ clanId, idempotencyKey });
        if (bound) return { kind: "bound", reversal: bound };
        records.set(reversal.reversalId, reversal);
        return { kind: "inserted" };
      },
      read,
      readRun: read,
      findByKey,
      async start(reversalId, at) {
        const now = records.get(reversalId);
        if (now?.state === "queued") records.set(reversalId, { ...now, state: "running", startedAt: at });
        return read(reversalId);
      },
      putBack: async () => {},
      async begin(correction) {
        const reversal = reversalIn(correction);
        const now = records.get(reversal.reversalId);
        if (!now || !isSameStep(now, reversal)) return null;
        const begun = { ...now, attempt: now.attempt + 1 };
        records.set(now.reversalId, begun);
        return begun;
      },
      async advance(correction, { selected, reversed, skipped, amount, next }) {
        const reversal = reversalIn(correction);
        const { reversalId } = reversal;
        const now = records.get(reversalId);
        const added = now !== undefined && isSameStep(now, reversal);
        if (added) {
          const counts = {
            selected: now.selected + selected,
            reversed: now.reversed + reversed,
            skipped: now.skipped + skipped,
            amount: now.amount + amount,
          };
          const ended = next === null ? { state: "done" as const, finishedAt: new Date() } : { position: next };
          records.set(reversalId, { ...now, ...counts, ...ended });
        }
        return { added, correction: await read(reversalId) };
      },

      deleteDetails: async () => 0,
      countUnfinished: async () => ({ all: 0, ofClan: 0 }),
      countAllUnfinished: async () => 0,
    },
  };
}

const isSameStep = (now: Reversal, { position, attempt }: Reversal): boolean =>
  now.state === "running" && now.position === position && now.attempt === attempt;

async function readStep(
  held: readonly Entry[],
  selection: Selection | ResetSelection,
  position: number,
  after: EntryRef | undefined,
): ReturnType<AwardSelection["read"]> {
  switch (selection.kind) {
    case "award":
      return {
        awards: awardsIn(
          held.filter(({ platformId, seq }) => platformId === selection.platformId && seq === selection.seq),
        ),
        next: null,
      };
    case "member": {
      const { platformId, from, until } = selection;
      const behind = held
        .filter((entry) => entry.platformId === platformId && entry.seq < position)
        .toSorted((a, b) => b.seq - a.seq);
      const found = behind.slice(0, ENTRIES_PER_STEP);
      const last = found.length === ENTRIES_PER_STEP ? found.at(-1) : undefined;
      return { awards: awardsIn(found.filter(({ at }) => at >= from && at < until)), next: last?.seq ?? null };
    }
    case "key": {
      const { keyId, from } = selection;
      const untilMs = Math.min(selection.until.getTime(), position);
      const inSpan = held
        .filter(({ at }) => at >= from && at.getTime() < untilMs)
        .toSorted((a, b) => b.at.getTime() - a.at.getTime());
      const beyond = inSpan[ENTRIES_PER_STEP];
      if (after || beyond?.at.getTime() === untilMs - 1) {
        const together = inSpan
          .filter(({ at }) => at.getTime() === untilMs - 1)
          .toSorted(byId)
          .filter((entry) => !after || byId(after, entry) < 0);
        const page = together.slice(0, ENTRIES_PER_STEP);
        const last = together.length > page.length ? page.at(-1) : undefined;
        return {
          awards: awardsIn(page.filter(({ apiKeyId }) => apiKeyId === keyId)),
          next: untilMs - 1,
          ...(last && { after: last }),
        };
      }
      const fromMs = beyond ? beyond.at.getTime() + 1 : from.getTime();
      const found = inSpan.filter(({ at, apiKeyId }) => at.getTime() >= fromMs && apiKeyId === keyId);
      return { awards: awardsIn(found), next: beyond ? fromMs : null };
    }
    case "batch":
    case "import":
    case "match":
    case "reset":
    case "xp":
      throw new Error(`nobody reverses by ${selection.kind} here`);
  }
}

const byId = (a: EntryRef, b: EntryRef): number => b.platformId.localeCompare(a.platformId) || b.seq - a.seq;

/** An entry that closes a chain has no API key, and no amount. */
function awardsIn(found: readonly Entry[]): SelectedAward[] {
  return found
    .filter(({ kind, apiKeyId }) => kind === undefined && apiKeyId !== "")
    .map(({ platformId, seq, key, applied }) => ({ platformId, seq, key, applied }))
    .toSorted((a, b) => b.seq - a.seq);
}
