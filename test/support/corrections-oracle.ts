// The oracle of corrections: a reversal takes back each of its awards once, by what that award applied, and its record
// counts just that; a membership that was given or ended is so.
import { awardIdOf } from "#contract/award-id.ts";
import { CANCELLATION, reversedAwardId } from "#domain/award-key.ts";
import type { Entry } from "#domain/entry.ts";
import { XP_MAX } from "#domain/bounds.ts";

/**
 * A reversal as its caller remembers it: accepted under this id, returned as done with these counts, and the awards
 * that it was to take back, by the keys of their entries. `counts` null: nobody knows, because entries were erased
 * since. `selectsMore`: other awards, too.
 */
export type SentReversal = {
  reversalId: string;
  counts: { selected: number; reversed: number; skipped: number } | null;
  awards: readonly { platformId: string; key: string }[];
  selectsMore?: boolean;
};

/** The last reported result of an operator's command: whether the member has a membership since. */
export type SentMembership = { platformId: string; isMember: boolean };

/**
 * Members whose newest entry says otherwise. An Auto Clan takes nobody back by itself, so that no award is the reason.
 */
export function membershipDisagreements(sent: readonly SentMembership[], ledger: readonly Entry[]): string[] {
  return sent.flatMap(({ platformId, isMember }) => {
    const [newest] = ledger.filter((entry) => entry.platformId === platformId).toSorted((a, b) => b.seq - a.seq);
    const is = newest !== undefined && newest.memberSince !== null;
    return is === isMember ? [] : [`${platformId}: ${isMember ? "added, but no member" : "removed, but a member"}`];
  });
}

/** Every way in which reversals and ledger disagree. In clans with the usual floor and cap. */
export function reversalDisagreements(sent: readonly SentReversal[], ledger: readonly Entry[]): string[] {
  const reversals = ledger.filter(({ kind }) => kind === "reversal");
  const byRequest = Map.groupBy(reversals, ({ fingerprint }) => fingerprint);
  const reversed = new Set(reversals.map(({ platformId, key }) => `${platformId} ${reversedAwardId(key)}`));
  const ids = new Map(ledger.map((entry) => [`${entry.platformId} ${entry.key}`, awardIdOf(entry)]));
  return [
    ...[...Map.groupBy(ledger, (entry) => entry.platformId).values()].flatMap(brokenReversals),
    ...[...byRequest.keys()]
      .filter((id) => !sent.some(({ reversalId }) => reversalId === id))
      .map((id) => `${id}: awards reversed, but nobody asked for it`),
    ...sent.flatMap(({ reversalId, counts, awards, selectsMore = false }) => {
      const found: string[] = [];
      const report = (what: string): void => void found.push(`${reversalId}: ${what}`);
      const made = byRequest.get(reversalId)?.length ?? 0;
      if (counts && (selectsMore ? counts.selected < awards.length : counts.selected !== awards.length))
        report(`${awards.length} awards, ${counts.selected} selected`);
      if (counts && counts.reversed !== made)
        report(`${counts.reversed} reversed, it says, and there are ${made} entries`);
      if (counts && counts.reversed + counts.skipped !== counts.selected) report("its counts do not add up");
      for (const { platformId, key } of awards) {
        if (!reversed.has(`${platformId} ${ids.get(`${platformId} ${key}`)}`))
          report(`${platformId} ${key} is not reversed`);
      }
      return found;
    }),
  ];
}

/** One member's entries, in any order. */
function brokenReversals(entries: readonly Entry[]): string[] {
  const found: string[] = [];
  const awards = new Map<string, Entry>();
  const reversed = new Set<string>();
  for (const entry of entries.toSorted((a, b) => a.seq - b.seq)) {
    const name = `${entry.platformId}: entry ${entry.seq}`;
    if (entry.kind === undefined && !(entry.batchId !== undefined && entry.fingerprint === CANCELLATION))
      awards.set(awardIdOf(entry), entry);
    if (entry.kind !== "reversal") continue;
    const id = reversedAwardId(entry.key);
    const award = awards.get(id);
    if (reversed.has(id)) found.push(`${name} reverses an award that was reversed`);
    reversed.add(id);
    if (!award) found.push(`${name} reverses no award before it`);
    else if (entry.amount !== -award.applied)
      found.push(`${name} takes back ${-entry.amount} XP where ${award.applied} were applied`);
    if (entry.xp < 0n) found.push(`${name} leaves ${entry.xp} XP, which is below the floor`);
    const isShortened = entry.applied !== entry.amount;
    if (isShortened && entry.xp !== (entry.amount < 0n ? 0n : XP_MAX))
      found.push(`${name} was shortened without floor or cap`);
    if (entry.membershipCreated) found.push(`${name} reverses, and creates a membership`);
  }
  return found;
}
