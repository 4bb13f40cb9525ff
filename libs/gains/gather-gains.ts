// Sums up the awards of a span by member, in parts that the database sums up, and what was reversed of them.
import { chunks } from "#async/chunks.ts";
import { ENTRIES_TOGETHER, GAIN_ENTRIES_MAX, MEMBERS_TOGETHER } from "#gains/bounds.ts";
import type { Gained, GainSnapshot, GainSpan } from "#gains/ports.ts";

/** Does a part of the work, and rests afterwards. */
export type Step = <Result>(work: () => Promise<Result>) => Promise<Result>;
/** `onProgress`: the part that is done, from 0 to 1. */
type Gathering = { clanId: string; span: GainSpan; step: Step; onProgress: (done: number) => void };

/** By platformId. Null: the span has too many entries. Throws AppError `unavailable`. */
export type GatherGains = (snapshot: GainSnapshot, gathering: Gathering) => Promise<Map<string, Gained> | null>;

export function makeGatherGains({
  entriesMax = GAIN_ENTRIES_MAX,
  entriesTogether = ENTRIES_TOGETHER,
} = {}): GatherGains {
  /** Parts of the span with about so many entries each. Null: there are too many. */
  async function divide(
    snapshot: GainSnapshot,
    { clanId, span: { from, to }, step }: Gathering,
  ): Promise<GainSpan[] | null> {
    const parts: GainSpan[] = [];
    for (let start: Date | null = from; start;) {
      if (parts.length * entriesTogether >= entriesMax) return null;
      const begin: Date = start;
      const next: Date | null = await step(() => snapshot.skip(clanId, { from: begin, to }, entriesTogether));
      // As many entries of one millisecond stay together.
      const end: Date | null = next && next <= begin ? new Date(begin.getTime() + 1) : next;
      parts.push({ from: begin, to: end ?? to });
      start = end;
    }
    return parts;
  }

  return async (snapshot, gathering) => {
    const { clanId, span, step, onProgress } = gathering;
    const parts = await divide(snapshot, gathering);
    if (!parts) return null;
    const gained = new Map<string, Gained>();
    for (const [index, part] of parts.entries()) {
      for await (const group of inSteps(snapshot.awards(clanId, part), step)) for (const one of group) add(gained, one);
      onProgress((index + 1) / parts.length);
    }
    for (const platformIds of chunks([...gained.keys()], MEMBERS_TOGETHER)) {
      const reversed = await step(() => snapshot.reversed(clanId, platformIds, span));
      for (const { platformId, applied } of reversed) {
        const own = gained.get(platformId);
        if (own) own.xp += applied;
      }
    }
    return gained;
  };
}

/** Rests after each reply: thousands of members that arrive together would make awards wait for this process. */
async function* inSteps<Reply>(replies: AsyncIterable<Reply>, step: Step): AsyncGenerator<Reply> {
  const iterator = replies[Symbol.asyncIterator]();
  try {
    for (let next = await step(() => iterator.next()); !next.done; next = await step(() => iterator.next()))
      yield next.value;
  } finally {
    await iterator.return?.();
  }
}

/** A member's awards in two parts of the span. */
function add(gained: Map<string, Gained>, one: Gained): void {
  const known = gained.get(one.platformId);
  if (!known) return void gained.set(one.platformId, one);
  known.xp += one.xp;
  known.awards += one.awards;
  // Parts follow each other.
  known.lastAwardAt = one.lastAwardAt;
}
