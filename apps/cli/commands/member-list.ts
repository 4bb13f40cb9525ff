// member list: the leaderboard, or the members that a search or a rank selects.
import type { Command } from "commander";
import { memberResponse } from "#contract/render.ts";
import { PAGE_SIZE_DEFAULT, PAGE_SIZE_MAX } from "#domain/bounds.ts";
import type { Clan } from "#domain/clan.ts";
import type { Member } from "#domain/member.ts";
import { filled } from "#domain/page.ts";
import { makeFilterMembers, type MemberFilter } from "#usecases/members/find-members.ts";
import type { MemberPosition, MemberSort } from "#usecases/members/ports.ts";
import { makeSearchMembers, type SearchPosition } from "#usecases/members/search-members.ts";
import type { Cli } from "../cli.ts";
import { examples, table } from "../show/text.ts";
import { openFreshLists } from "../open/fresh-lists.ts";
import { load } from "../open/load.ts";
import { clanIdIn, limitIn, type Faults } from "../parse/options.ts";
import { rejectFaults } from "../cli-error.ts";
import { rankError, unknownClan } from "../show/not-found.ts";

type Options = { sort?: string; search?: string; rank?: string; limit: string };
/** `nextCursor`: of the API, which has no filter. */
type Listed = {
  items: readonly Member[];
  hasMore: boolean;
  json: { nextCursor: string | null } | { hasMore: boolean };
};

export function addMemberList(parent: Command, cli: Cli): void {
  parent
    .command("list")
    .summary("list a clan's members")
    .description(
      "Lists players with XP or a membership in a clan, highest XP first; those who were removed only by platformId, or by a search. With --json it prints a page as the API does. clanxp export prints every member.",
    )
    .argument("<clanId>", "the clan")
    .option("--sort <xp|platformId>", "the order (default: xp)")
    .option("--search <text>", "only those whose platformId begins with it, or whose name has its words")
    .option("--rank <name>", "only those who have this rank")
    .option("--limit <N>", `maximum number of members, 1 to ${PAGE_SIZE_MAX}`, String(PAGE_SIZE_DEFAULT))
    .addHelpText(
      "after",
      examples([
        ["clanxp member list rovers --limit 10", "the ten members with the most XP"],
        ["clanxp member list rovers --search storm", "a player whose name you know"],
        ["clanxp member list rovers --rank Officer", "all officers"],
      ]),
    )
    .action(async (clanIdText: string, options: Options) => {
      const faults: Faults = [];
      const clanId = clanIdIn(clanIdText, faults);
      const sort = sortIn(options.sort, faults);
      const limit = limitIn(options.limit, PAGE_SIZE_MAX, faults);
      const filter = { search: searchIn(options.search, faults), rank: options.rank ?? null };
      const isFiltered = filter.search !== null || filter.rank !== null;
      if (isFiltered && sort === "platformId")
        faults.push("--sort platformId cannot be used with --search or --rank, whose order is their own");
      rejectFaults(faults);

      const { clans, names } = await cli.servers.stores();
      const clan = (await clans.read([clanId])).get(clanId);
      if (!clan) throw await unknownClan(clanId, clans);
      const listed = await (isFiltered ? listFiltered(cli, clan, filter, limit) : listAll(cli, clanId, sort, limit));
      const { items, hasMore, json } = listed;
      const known = await names.read(
        clanId,
        items.map(({ platformId }) => platformId),
      );
      const members = items.map((member) => memberResponse(member, clan, { names: known }));
      const rows = members.map(({ platformId, name, xp, rank, membership }) => {
        return [platformId, name ?? "", xp, rank, membership?.since ?? "none"];
      });
      const more = hasMore ? ["There are more members: --limit, or clanxp export, prints them."] : [];
      cli.print({
        json: { members, ...json },
        text:
          members.length === 0
            ? "No members."
            : [table(["MEMBER", "NAME", "XP", "RANK", "MEMBERSHIP SINCE"], rows, ["XP"]), ...more].join("\n\n"),
      });
    });
}

async function listAll(cli: Cli, clanId: string, sort: MemberSort, limit: number): Promise<Listed> {
  const { items, next } = await (await openFreshLists(cli)).page(clanId, { sort, limit, after: null });
  const { memberCursor } = await load.page();
  return { items, hasMore: next !== null, json: { nextCursor: next && memberCursor({ sort, after: next }) } };
}

/** Throws CliError `rank_not_found`. */
async function listFiltered(cli: Cli, clan: Clan, { search, rank }: MemberFilter, limit: number): Promise<Listed> {
  if (rank !== null && !clan.ranks.some(({ name }) => name === rank)) throw rankError({ kind: "no_rank", clan }, rank);
  const [{ members, names }, lists] = [await cli.servers.stores(), await openFreshLists(cli)];
  const found = makeFilterMembers({ lists, searchMembers: makeSearchMembers({ lists, members, names }) });
  const first = { limit, after: null };
  const { items, next } = await (search === null
    ? filled<Member, MemberPosition>(first, Infinity, (page) => found.ofRank(clan, rank, page))
    : filled<Member, SearchPosition>(first, Infinity, (page) => found.searched(clan, { text: search, rank }, page)));
  const hasMore = next !== null;
  return { items, hasMore, json: { hasMore } };
}

function searchIn(text: string | undefined, faults: Faults): string | null {
  if (text?.trim() === "") faults.push("--search is empty");
  return text ?? null;
}

function sortIn(text: string | undefined, faults: Faults): MemberSort {
  if (text !== undefined && text !== "xp" && text !== "platformId")
    faults.push(`--sort is xp or platformId, not "${text}"`);
  return text === "platformId" ? "platformId" : "xp";
}
