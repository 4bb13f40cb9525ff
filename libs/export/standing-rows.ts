// The rows of a period's standings for CSV, in their order.
import { PAGE_SIZE_MAX } from "#domain/bounds.ts";
import type { Row } from "#export/export-rows.ts";
import type { BoardRef } from "#boards/ports.ts";
import type { ReadBoards } from "#boards/read-boards.ts";
import type { NameStore } from "#names/ports.ts";

/** In pages; an empty one if nobody is on the board. Throws as `boards` does. */
export async function* standingRows(
  { boards, names }: { boards: Pick<ReadBoards, "standings">; names: Pick<NameStore, "read"> },
  ref: BoardRef,
  periodId: string,
): AsyncGenerator<Row[]> {
  const limit = PAGE_SIZE_MAX;
  let page = await boards.standings(ref, periodId, { kind: "page", limit, after: null });
  for (;;) {
    const { items, next, period } = page;
    const known = await names.read(
      ref.clanId,
      items.map(({ platformId }) => platformId),
    );
    yield items.map(({ position, platformId, xp, reachedAt }) => ({
      position,
      platform_id: platformId,
      name: known.get(platformId) ?? null,
      xp: xp.toString(),
      reached_at: reachedAt.toISOString(),
    }));
    if (!next) return;
    page = await boards.standings(ref, period.periodId, { kind: "page", limit, after: next });
  }
}
