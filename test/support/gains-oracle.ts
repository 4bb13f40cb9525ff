// The oracle of boosts and daily caps: the rules of docs/concepts/boosts-and-daily-caps.md written down a second time.
// For each entry it adds up the member's day anew, from all entries before it.
import type { Clan } from "#domain/clan.ts";
import { limitOf, type Entry } from "#domain/entry.ts";
import { XP_MAX } from "#domain/bounds.ts";

/** Every entry that is not what the rules make of its award. `rulesOf`: the clan's rules when it was applied. */
export function gainDisagreements(ledger: readonly Entry[], rulesOf: (entry: Entry) => Clan): string[] {
  return [...Map.groupBy(ledger, ({ platformId }) => platformId).values()].flatMap((entries) => {
    const chain = entries.toSorted((a, b) => a.seq - b.seq);
    return chain.flatMap((entry, index) => {
      const [is, should] = [shown(entry), expected(entry, chain.slice(0, index), rulesOf)];
      return is === should ? [] : [`${entry.platformId}: entry ${entry.seq} is ${is}, and should be ${should}`];
    });
  });
}

function shown(entry: Entry): string {
  const { amount, boost, applied } = entry;
  return `${boost?.boostId ?? "plain"} ${boost?.amount ?? amount} applied ${applied} limited ${limitOf(entry)}`;
}

function expected(entry: Entry, earlier: readonly Entry[], rulesOf: (entry: Entry) => Clan): string {
  const { amount, at, previousRank, source } = entry;
  const { boosts = [], dailyCap, xpCap, xpFloor } = rulesOf(entry);
  const xp = earlier.at(-1)?.xp ?? 0n;
  let asked = amount;
  let name = "plain";
  if (isByKey(entry) && amount > 0n) {
    const [best] = boosts
      .filter(({ from, to }) => from.getTime() <= at.getTime() && at.getTime() < to.getTime())
      .filter(({ ranks }) => ranks.length === 0 || ranks.some((rank) => rank === previousRank))
      .filter(({ placeIds }) => placeIds.length === 0 || placeIds.some((id) => id === source?.placeId))
      .sort((a, b) => b.percent - a.percent || +a.from - +b.from || (a.boostId < b.boostId ? -1 : 1));
    if (best) {
      name = best.boostId;
      asked = BigInt(Math.floor((Number(amount) * best.percent) / 100));
    }
  }
  let left = asked;
  if (dailyCap && isByKey(entry) && asked > 0n) {
    const counted = earlier.filter((one) => rulesOf(one).dailyCap?.since === dailyCap.since);
    const gained = counted.filter((one) => isOfDay(one, at)).reduce((sum, one) => sum + gainOf(one, counted), 0n);
    left = dailyCap.xp > gained ? dailyCap.xp - gained : 0n;
  }
  const allowed = left < asked ? left : asked;
  const cap = xpCap < XP_MAX ? xpCap : XP_MAX;
  let next = xp + allowed;
  if (asked > 0n && next > cap) next = xp > cap ? xp : cap;
  if (asked < 0n && xpFloor !== null && next < xpFloor) next = xp < xpFloor ? xp : xpFloor;
  const applied = next - xp;
  const shortened = asked < 0n ? "floor" : "cap";
  const limit = left < asked ? "day" : applied === asked ? null : shortened;
  return `${name} ${asked} applied ${applied} limited ${limit}`;
}

/** What an entry adds to its day, or gives back: an award that is reversed on its own day, by all that it added. */
function gainOf(entry: Entry, counted: readonly Entry[]): bigint {
  if (isByKey(entry)) return entry.applied > 0n ? entry.applied : 0n;
  const reversed = counted.find(({ seq }) => seq === entry.reversesSeq);
  return reversed && isByKey(reversed) && isOfDay(reversed, entry.at) ? -gainOf(reversed, counted) : 0n;
}

function isByKey({ kind, actor }: Entry): boolean {
  return kind === undefined && actor === undefined;
}

function isOfDay(entry: Entry, at: Date): boolean {
  return entry.at.toISOString().slice(0, 10) === at.toISOString().slice(0, 10);
}
