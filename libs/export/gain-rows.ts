// The rows of who gained how much in a span for CSV, in their order.
import type { GainOrder } from "#domain/gains.ts";
import { PAGE_SIZE_MAX } from "#domain/bounds.ts";
import type { Row } from "#export/export-rows.ts";
import type { GainCount, GainRow } from "#gains/ports.ts";
import type { GainsPosition, ReadGains } from "#gains/read-gains.ts";
import type { NameStore } from "#names/ports.ts";

export type NamedGain = GainRow & { name: string | null };
export type NamedGains = { items: NamedGain[]; next: GainsPosition | null };
type Deps = { gains: Pick<ReadGains, "list">; names: Pick<NameStore, "read"> };

/** At most so many, in pages with names; an empty one if nobody has an award. Throws as `gains` does. */
export async function* namedGains(
  { gains, names }: Deps,
  count: GainCount,
  { order, limit }: { order: GainOrder; limit: number },
): AsyncGenerator<NamedGains> {
  let after: GainsPosition | null = null;
  for (let left = limit; left > 0;) {
    const part = { kind: "page", limit: Math.min(left, PAGE_SIZE_MAX), after } as const;
    const { items, next } = await gains.list(count, order, part);
    const ids = items.map(({ platformId }) => platformId);
    const known = await names.read(count.clanId, ids);
    yield { items: items.map((row) => ({ ...row, name: known.get(row.platformId) ?? null })), next };
    if (!next) return;
    left -= items.length;
    after = next;
  }
}

export async function* gainRows(
  deps: Deps,
  count: GainCount,
  options: Parameters<typeof namedGains>[2],
): AsyncGenerator<Row[]> {
  for await (const { items } of namedGains(deps, count, options)) {
    yield items.map(({ position, platformId, name, xp, awards, membership, firstAwardAt, lastAwardAt }) => ({
      position,
      platformId,
      name,
      xp: xp.toString(),
      awards,
      member: membership ? "yes" : "left",
      firstAwardAt: firstAwardAt.toISOString(),
      lastAwardAt: lastAwardAt.toISOString(),
    }));
  }
}
