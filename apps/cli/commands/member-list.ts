// member list: the leaderboard, or the members that a search, a rank or their newest award selects.
import type { Command } from "commander";
import { memberResponse } from "#contract/render.ts";
import { PAGE_SIZE_DEFAULT, PAGE_SIZE_MAX } from "#domain/bounds.ts";
import type { Clan } from "#domain/clan.ts";
import { memberSorts, type Member, type MemberSort } from "#domain/member.ts";
import { filled } from "#domain/page.ts";
import { makeFilterMembers, orderOf, type MemberFilter } from "#members/find-members.ts";
import type { ListPosition } from "#members/ports.ts";
import { makeSearchMembers, type SearchPosition } from "#members/search-members.ts";
import type { Cli } from "../cli.ts";
import type { Format } from "../show/format.ts";
import { examples, table } from "../show/text.ts";
import { openFreshLists } from "../open/fresh-lists.ts";
import { load } from "../open/load.ts";
import { clanIdIn, limitIn, timeIn, type Faults } from "../parse/options.ts";
import { rejectFaults } from "../cli-error.ts";
import { rankError, unknownClan } from "../show/not-found.ts";

type Options = { sort?: string; search?: string; rank?: string; idleSince?: string; limit: string };
/** `nextCursor`: of the API, which has no search and no filter by rank. */
type Listed = {
  items: readonly Member[];
  hasMore: boolean;
  json: { nextCursor: string | null } | { hasMore: boolean };
};

const HEADERS = ["MEMBER", "NAME", "XP", "RANK", "MEMBERSHIP SINCE"];

export function addMemberList(parent: Command, cli: Cli): void {
  parent
    .command("list")
    .summary("list a clan's members")
    .description(
      "Lists players with XP or a membership in a clan, highest XP first; those who were removed only by platformId, by last award, or by a search. With --json it prints a page as the API does. clanxp export prints every member.",
    )
    .argument("<clanId>", "the clan")
    .option("--sort <xp|platformId|lastAwardAt>", "the order (default: xp; lastAwardAt with --idle-since)")
    .option("--search <text>", "only those whose platformId begins with it, or whose name has its words")
    .option("--rank <name>", "only those who have this rank")
    .option("--idle-since <T>", "only those without an award since this time, for example -30d")
    .option("--limit <N>", `maximum number of members, 1 to ${PAGE_SIZE_MAX}`, String(PAGE_SIZE_DEFAULT))
    .addHelpText(
      "after",
      examples([
        ["clanxp member list rovers --limit 10", "the ten members with the most XP"],
        ["clanxp member list rovers --search storm", "a player whose name you know"],
        ["clanxp member list rovers --rank Officer", "all officers"],
        ["clanxp member list rovers --idle-since -30d", "who has had no award for 30 days"],
      ]),
    )
    .action(async (clanIdText: string, options: Options) => {
      const faults: Faults = [];
      const clanId = clanIdIn(clanIdText, faults);
      const idleSince =
        options.idleSince === undefined ? null : timeIn("--idle-since", options.idleSince, cli.clock.now(), faults);
      const limit = limitIn(options.limit, PAGE_SIZE_MAX, faults);
      const filter = { search: searchIn(options.search, faults), rank: options.rank ?? null, idleSince };
      const isFiltered = filter.search !== null || filter.rank !== null;
      const sort = sortIn(options.sort, faults) ?? orderOf(filter);
      if (isFiltered && sort !== "xp")
        faults.push(`--sort ${sort} cannot be used with --search or --rank, whose order is their own`);
      rejectFaults(faults);

      const { clans, names } = await cli.servers.stores();
      const clan = (await clans.read([clanId])).get(clanId);
      if (!clan) throw await unknownClan(clanId, clans);
      const listed = await (isFiltered
        ? listFiltered(cli, clan, filter, limit)
        : listAll(cli, clanId, { sort, idleSince }, limit));
      const { items, hasMore, json } = listed;
      const known = await names.read(
        clanId,
        items.map(({ platformId }) => platformId),
      );
      const members = items.map((member) => memberResponse(member, clan, { names: known }));
      const byAward = idleSince !== null || sort === "lastAwardAt";
      const more = hasMore ? "\n\nThere are more members: --limit, or clanxp export, prints them." : "";
      cli.print({
        json: { members, ...json },
        text: (format) =>
          members.length === 0 ? "No members." : `${membersTable(members, { byAward, ...format })}${more}`,
      });
    });
}

function membersTable(
  members: readonly ReturnType<typeof memberResponse>[],
  { byAward, time, number }: Format & { byAward: boolean },
): string {
  const timeOr = (at: string | null | undefined) => (at ? time(at) : "none");
  const rows = members.map(({ platformId, name, xp, rank, membership, lastAwardAt }) => {
    const cells = [platformId, name ?? "", number(xp), rank, timeOr(membership?.since)];
    return byAward ? [...cells, timeOr(lastAwardAt)] : cells;
  });
  return table(byAward ? [...HEADERS, "LAST AWARD"] : HEADERS, rows, ["XP"]);
}

async function listAll(
  cli: Cli,
  clanId: string,
  order: { sort: MemberSort; idleSince: Date | null },
  limit: number,
): Promise<Listed> {
  const [lists, { sort }] = [await openFreshLists(cli), order];
  const { items, next } = await filled<Member, ListPosition>({ limit, after: null }, Infinity, (page) =>
    lists.page(clanId, { ...order, ...page }),
  );
  const { memberCursor } = await load.page();
  return { items, hasMore: next !== null, json: { nextCursor: next && memberCursor({ sort, after: next }) } };
}

/** Throws CliError `rank_not_found`. */
async function listFiltered(cli: Cli, clan: Clan, { search, ...by }: MemberFilter, limit: number): Promise<Listed> {
  const { rank } = by;
  if (rank !== null && !clan.ranks.some(({ name }) => name === rank)) throw rankError({ kind: "no_rank", clan }, rank);
  const [{ members, names }, lists] = [await cli.servers.stores(), await openFreshLists(cli)];
  const found = makeFilterMembers({ lists, searchMembers: makeSearchMembers({ lists, members, names }) });
  const first = { limit, after: null };
  const { items, next } = await (search === null
    ? filled<Member, ListPosition>(first, Infinity, (page) => found.inOrder(clan, by, page))
    : filled<Member, SearchPosition>(first, Infinity, (page) => found.searched(clan, { text: search, ...by }, page)));
  const hasMore = next !== null;
  return { items, hasMore, json: { hasMore } };
}

function searchIn(text: string | undefined, faults: Faults): string | null {
  if (text?.trim() === "") faults.push("--search is empty");
  return text ?? null;
}

function sortIn(text: string | undefined, faults: Faults): MemberSort | undefined {
  const sort = memberSorts.find((one) => one === text);
  if (text !== undefined && !sort) faults.push(`--sort is ${memberSorts.join(" or ")}, not "${text}"`);
  return sort;
}
