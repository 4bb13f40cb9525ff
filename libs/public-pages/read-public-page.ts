// What a clan's public page shows: the leaderboard, or a period of a board.
//
// Invariant: nothing that this returns names a member but by the name that is shown, and a hidden member not at all.
import { AppError } from "#kernel/app-error.ts";
import type { Clan } from "#domain/clan.ts";
import type { Member } from "#domain/member.ts";
import { PUBLIC_ROWS_MAX, showsBoard, type PublicPage } from "#domain/public-page.ts";
import { isAppointable, rankIdOf, standingOf } from "#domain/rank.ts";
import type { BoardRef, BoardStore } from "#boards/ports.ts";
import type { ShownPeriod } from "#boards/find-period.ts";
import type { ReadBoards, Standings } from "#boards/read-boards.ts";
import type { Leaderboard } from "#members/leaderboard.ts";
import type { MemberLists } from "#members/member-lists.ts";
import type { NameStore, StoredName } from "#names/ports.ts";
import type { CountRanks, RankCount } from "#ranks/count-ranks.ts";
import type { Clock } from "#kernel/clock.ts";

type Shown = { position: number; name: string; xp: bigint };
type ShownBoard = { boardId: string; name: string };

export type PublicClan = {
  kind: "clan";
  clan: { name: string; members: number; xp: bigint; ranks: readonly RankCount[] };
  /** `rank` null: an appointment of a hidden member. */
  members: readonly (Shown & { rank: string | null })[];
  boards: readonly ShownBoard[];
  asOf: Date;
};

export type PublicPeriod = {
  kind: "board";
  clan: { name: string };
  board: ShownBoard;
  /** Null: no season has begun. */
  period: ShownPeriod | null;
  /** There is a period before. */
  hasPrevious: boolean;
  /** `previousPosition`: in the period before; null: in none. */
  members: readonly (Shown & { previousPosition: number | null })[];
  asOf: Date;
};

/** Throws AppError `unavailable`. */
export type ReadPublicPage = {
  clan(clan: Clan, page: PublicPage): Promise<PublicClan>;
  /** `periodId`: also `current` and `previous`. Null: the page has no such board or period. */
  period(clan: Clan, page: PublicPage, of: { boardId: string; periodId: string }): Promise<PublicPeriod | null>;
};

const FIRST = { limit: PUBLIC_ROWS_MAX, after: null } as const;

export function makeReadPublicPage(deps: {
  lists: Pick<MemberLists, "page">;
  leaderboard: Pick<Leaderboard, "positions" | "totals">;
  countRanks: CountRanks;
  boards: Pick<BoardStore, "read">;
  readBoards: Pick<ReadBoards, "standings" | "periods">;
  names: Pick<NameStore, "readAll">;
  clock: Pick<Clock, "now">;
}): ReadPublicPage {
  const { lists, leaderboard, countRanks, names, readBoards, clock } = deps;

  async function shownBoards(clan: Clan, page: PublicPage): Promise<ShownBoard[]> {
    const found = page.boards === "none" ? null : await deps.boards.read(clan.clanId);
    const shown = found?.boards.filter(({ boardId }) => showsBoard(page, boardId)) ?? [];
    return shown.map(({ boardId, name }) => ({ boardId, name }));
  }

  return {
    async clan(clan, page) {
      const { clanId } = clan;
      const asOf = clock.now();
      const [{ items }, totals, ranks, boards] = await Promise.all([
        lists.page(clanId, { sort: "xp", ...FIRST }),
        leaderboard.totals(clanId),
        countRanks(clanId),
        shownBoards(clan, page),
      ]);
      const [known, positions] = await Promise.all([
        names.readAll(clanId, idsOf(items)),
        leaderboard.positions(clanId, items),
      ]);
      const members = items.map((member, index) => {
        const position = positions.get(member.platformId)?.value ?? index + 1;
        return shownMember({ clan, page }, member, position, known.get(member.platformId));
      });
      return { kind: "clan", clan: { name: clan.name, ...totals, ranks }, members, boards, asOf };
    },

    async period(clan, page, { boardId, periodId }) {
      const board = (await shownBoards(clan, page)).find((one) => one.boardId === boardId);
      if (!board) return null;
      const ref = { clanId: clan.clanId, boardId };
      const common = { kind: "board", clan: { name: clan.name }, board } as const;
      const found = await standingsOf(readBoards, ref, periodId);
      if (!found) {
        if (periodId !== "current") return null;
        return { ...common, period: null, hasPrevious: false, members: [], asOf: clock.now() };
      }
      const { period, items, asOf } = found;
      const ids = idsOf(items);
      const before = { boardId, periodId: period.periodId };
      const [known, [previous]] = await Promise.all([
        names.readAll(clan.clanId, ids),
        readBoards.periods(ref, { limit: 1, before }).then((listed) => listed.items),
      ]);
      const earlier =
        previous && ids.length > 0
          ? await readBoards.standings(ref, previous.periodId, { kind: "named", platformIds: ids })
          : { items: [] };
      const positions = new Map(earlier.items.map(({ platformId, position }) => [platformId, position]));
      const members = items.map(({ platformId, xp, position }) => ({
        position,
        previousPosition: positions.get(platformId) ?? null,
        name: shownName(page, known.get(platformId), position),
        xp,
      }));
      return { ...common, period, hasPrevious: previous !== undefined, members, asOf };
    },
  };
}

/** Outside of seasons, the current period is the newest that there was. */
async function standingsOf(
  boards: Pick<ReadBoards, "standings">,
  ref: BoardRef,
  periodId: string,
): Promise<Standings | null> {
  try {
    return await boards.standings(ref, periodId, { kind: "page", ...FIRST });
  } catch (error) {
    if (!(error instanceof AppError) || !NOT_FOUND.has(error.code)) throw error;
    return periodId === "current" ? standingsOf(boards, ref, "previous") : null;
  }
}

const NOT_FOUND: ReadonlySet<string> = new Set(["period_not_found", "board_not_found"]);

function idsOf(members: readonly { platformId: string }[]): string[] {
  return members.map(({ platformId }) => platformId);
}

function shownMember(
  { clan, page }: { clan: Clan; page: PublicPage },
  member: Member,
  position: number,
  stored: StoredName | undefined,
): PublicClan["members"][number] {
  const isAppointed = clan.ranks.some((one) => isAppointable(one) && rankIdOf(one) === member.appointedRank);
  const isSecret = stored?.isHidden && isAppointed && member.membership;
  const rank = isSecret ? null : standingOf(clan, member).rank;
  return { position, name: shownName(page, stored, position), xp: member.xp, rank };
}

function shownName({ names }: PublicPage, stored: StoredName | undefined, position: number): string {
  if (stored?.isHidden) return "Hidden player";
  return (names ? stored?.name : null) ?? `Player ${position}`;
}
