// A member of the clan: read as the public API reads them, changed by the same use cases as the command line. The list
// of all members is in member-lists.ts.
import type { ErasureFacts, memberEndpoints, MemberFacts } from "#contract/dashboard/members.ts";
import { encodeCursor, LedgerCursor } from "#contract/page.ts";
import { csvOf } from "#export/csv-text.ts";
import { ledgerRows } from "#export/export-rows.ts";
import { memberResponse, type MemberExtras } from "#contract/render.ts";
import { isModerator } from "#domain/account.ts";
import type { Clan } from "#domain/clan.ts";
import type { Member } from "#domain/member.ts";
import { moderatorBoundsOf } from "#domain/moderator.ts";
import { isAppointable, normalRanks, rankIdOf } from "#domain/rank.ts";
import { clanOf, type ClanRules } from "#clans/clan-rules.ts";
import type { ErasureState, ErasureStore } from "#erasure/ports.ts";
import type { AddMember } from "#members/add-member.ts";
import type { AppointMember } from "#members/appoint-member.ts";
import type { ChangeXp } from "#members/change-xp.ts";
import type { ListEntries } from "#members/list-entries.ts";
import type { Leaderboard } from "#members/leaderboard.ts";
import type { ReadXpHistory } from "#members/read-xp-history.ts";
import type { MemberStore } from "#members/ports.ts";
import type { NameStore } from "#names/ports.ts";
import type { Ids } from "#kernel/ids.ts";
import type { RemoveMember } from "#members/remove-member.ts";
import { DashboardError } from "../http/dashboard-error.ts";
import { positionIn } from "../http/position-in.ts";
import type { Routes } from "../http/route.ts";
import { entryOf, type ShowEntries } from "./show-entries.ts";

/** Enough for a chart, and for people to survey. */
const ENTRIES_PER_PAGE = 100;

type MemberRoutes = Omit<Routes<typeof memberEndpoints>, "list-members" | "export-members">;
type ReadDeps = {
  members: Pick<MemberStore, "read">;
  names: Pick<NameStore, "read">;
  leaderboard: Pick<Leaderboard, "positions">;
  showEntries: ShowEntries;
  listEntries: ListEntries;
  readXpHistory: ReadXpHistory;
  rules: ClanRules;
};
type ChangeDeps = {
  changeXp: ChangeXp;
  addMember: AddMember;
  appointMember: AppointMember;
  removeMember: RemoveMember;
};

type EraseDeps = { erasures: Pick<ErasureStore, "begin" | "read">; ids: Pick<Ids, "erasure"> };

export function makeMemberRoutes(deps: ReadDeps & ChangeDeps & EraseDeps): MemberRoutes {
  return {
    ...readRoutes(deps),
    ...ledgerRoutes(deps),
    ...exportRoutes(deps),
    ...changeRoutes(deps),
    ...eraseRoutes(deps),
  };
}

function readRoutes({ members, names, leaderboard, rules }: ReadDeps): Pick<MemberRoutes, "read-member"> {
  return {
    async "read-member"({ params }) {
      const [clan, member] = await Promise.all([clanOf(rules, params.clanId), members.read(params)]);
      if (!member) throw nothingStored();
      const { clanId, platformId } = params;
      const [known, positions] = await Promise.all([
        names.read(clanId, [platformId]),
        leaderboard.positions(clanId, [member]),
      ]);
      return factsOf(member, clan, { names: known, positions });
    },
  };
}

function ledgerRoutes({
  showEntries,
  listEntries,
  readXpHistory,
}: ReadDeps): Pick<MemberRoutes, "read-member-ledger" | "read-member-history"> {
  return {
    async "read-member-history"({ params, query: { range } }) {
      const { points, until } = await readXpHistory(params, range);
      return {
        points:
          points && points.map(({ at, xp }) => ({ at: at.toISOString(), xp: xp === null ? null : xp.toString() })),
        until: until.toISOString(),
      };
    },

    async "read-member-ledger"({ params, query: { cursor, kind } }) {
      const { items, next } = await listEntries.ofMember(params, {
        limit: ENTRIES_PER_PAGE,
        beforeSeq: positionIn(LedgerCursor, cursor)?.[1] ?? null,
        ...(kind === undefined ? {} : { kind }),
      });
      return {
        entries: await showEntries(params.clanId, items),
        nextCursor: next === null ? null : encodeCursor(["seq", next]),
      };
    },
  };
}

/** The rows of `clanxp export`, read while they are sent. */
function exportRoutes({ members, listEntries }: ReadDeps): Pick<MemberRoutes, "export-member-ledger"> {
  return {
    async "export-member-ledger"({ params }) {
      const { clanId, platformId } = params;
      if (!(await members.read(params))) throw nothingStored();
      return {
        fileName: `${clanId}-${platformId}-ledger.csv`,
        text: csvOf("ledger", ledgerRows(listEntries, params, platformId)),
      };
    },
  };
}

/** Records the erasure only: a worker does it, and a restart of the dashboard does not interrupt it. */
function eraseRoutes({ erasures, ids }: EraseDeps): Pick<MemberRoutes, "erase-member" | "read-erasure"> {
  return {
    async "erase-member"({ params, by }) {
      const erasureId = ids.erasure();
      await erasures.begin({ ...params, erasureId }, by, "worker");
      return { erasureId, state: "waiting", entries: 0 };
    },

    async "read-erasure"({ params: { clanId, erasureId } }) {
      const erasure = await erasures.read(erasureId);
      // One of every clan is an operator's.
      if (erasure?.clanId !== clanId) throw new DashboardError("not_found", "This clan has no such erasure.");
      return erasureFactsOf(erasureId, erasure);
    },
  };
}

function erasureFactsOf(erasureId: string, { state, counts }: ErasureState): ErasureFacts {
  return { erasureId, state, entries: counts["entries"] ?? 0 };
}

function changeRoutes({
  rules,
  changeXp,
  addMember,
  appointMember,
  removeMember,
}: ChangeDeps & Pick<ReadDeps, "rules">): Pick<
  MemberRoutes,
  "change-xp" | "add-member" | "appoint-member" | "remove-member"
> {
  return {
    async "change-xp"({ params, body, by, who: { account } }) {
      const bounds = isModerator(account, params.clanId) ? moderatorBoundsOf(await clanOf(rules, params.clanId)) : null;
      return entryOf(await changeXp({ ...params, ...body }, by, bounds));
    },

    async "add-member"({ params, by }) {
      const addition = await addMember(params, null, by);
      if (addition.kind !== "added") throw nothingStored();
      return factsOf(addition.member, addition.clan);
    },

    async "appoint-member"({ params, body, by }) {
      const made = await appointMember(params, body.rank, by);
      switch (made.kind) {
        case "appointed":
          return factsOf(made.member, made.clan);
        case "no_membership":
          throw new DashboardError("conflict", "Only members of the clan can be appointed. Nothing was changed.");
        case "no_clan":
        case "no_rank":
        case "not_appointable":
          throw new DashboardError(
            "conflict",
            "Members cannot be appointed to this rank any more. Nothing was changed.",
          );
      }
    },

    async "remove-member"({ params, by }) {
      const removed = await removeMember(params, by);
      if (removed.kind === "no_clan" || removed.kind === "no_member") throw nothingStored();
      if (removed.kind === "no_membership")
        throw new DashboardError("conflict", "This player is no longer a member. Nothing was changed.");
      return factsOf(removed.member, removed.clan);
    },
  };
}

function nothingStored(): DashboardError {
  return new DashboardError("not_found", "Nothing is stored for this player in this clan.");
}

function factsOf(member: Member, clan: Clan, extras: MemberExtras = {}): MemberFacts {
  const ranks = clan.ranks.filter(isAppointable);
  const shown = memberResponse(member, clan, extras);
  return {
    member: shown,
    appointedRank: ranks.find((rank) => rankIdOf(rank) === member.appointedRank)?.name ?? null,
    rankFrom: String(normalRanks(clan).find(({ name }) => name === shown.rank)?.threshold ?? 0n),
    appointable: ranks.map(({ name }) => name),
  };
}
