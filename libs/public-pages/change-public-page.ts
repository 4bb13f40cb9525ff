// Changes and publishes a clan's public page. A board that it is to show must exist; one that is removed later is no
// longer shown.
import type { Actor } from "#domain/audit.ts";
import type { BoardStore } from "#boards/ports.ts";
import type { ClanOrRejection, PublicPageChange, PublicPageStore } from "#public-pages/ports.ts";

/** The values are valid. Takes effect within 1 s on every process. */
export type ChangePublicPage = (
  clanId: string,
  change: PublicPageChange,
  by: Actor,
) => Promise<ClanOrRejection | { kind: "no_board"; boardId: string }>;

export function makeChangePublicPage(deps: {
  publicPages: Pick<PublicPageStore, "change">;
  boards: Pick<BoardStore, "read">;
}): ChangePublicPage {
  return async (clanId, change, by) => {
    const { boards } = change;
    if (boards !== undefined && typeof boards !== "string") {
      const found = await deps.boards.read(clanId);
      const known = new Set(found?.boards.map(({ boardId }) => boardId));
      const missing = found ? boards.find((boardId) => !known.has(boardId)) : undefined;
      if (missing !== undefined) return { kind: "no_board", boardId: missing };
    }
    return deps.publicPages.change(clanId, change, by);
  };
}
