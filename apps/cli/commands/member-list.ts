// member list: the leaderboard.
import type { Command } from "commander";
import { memberResponse } from "#contract/render.ts";
import { PAGE_SIZE_DEFAULT, PAGE_SIZE_MAX } from "#domain/bounds.ts";
import type { MemberSort } from "#usecases/members/ports.ts";
import type { Cli } from "../cli.ts";
import { examples, table } from "../show/text.ts";
import { openFreshLists } from "../open/fresh-lists.ts";
import { load } from "../open/load.ts";
import { clanIdIn, limitIn, type Faults } from "../parse/options.ts";
import { rejectFaults } from "../cli-error.ts";
import { unknownClan } from "../show/not-found.ts";

export function addMemberList(parent: Command, cli: Cli): void {
  parent
    .command("list")
    .summary("list a clan's members")
    .description(
      "Lists players with XP or a membership in a clan, highest XP first; those who were removed only by platformId. With --json it prints a page as the API does. clanxp export prints every member.",
    )
    .argument("<clanId>", "the clan")
    .option("--sort <xp|platformId>", "the order", "xp")
    .option("--limit <N>", `maximum number of members, 1 to ${PAGE_SIZE_MAX}`, String(PAGE_SIZE_DEFAULT))
    .addHelpText("after", examples([["clanxp member list rovers --limit 10", "the ten members with the most XP"]]))
    .action(async (clanIdText: string, options: { sort: string; limit: string }) => {
      const faults: Faults = [];
      const clanId = clanIdIn(clanIdText, faults);
      const sort = sortIn(options.sort, faults);
      const limit = limitIn(options.limit, PAGE_SIZE_MAX, faults);
      rejectFaults(faults);

      const { clans, names } = await cli.servers.stores();
      const clan = (await clans.read([clanId])).get(clanId);
      if (!clan) throw await unknownClan(clanId, clans);
      const { items, next } = await (await openFreshLists(cli)).page(clanId, { sort, limit, after: null });
      const known = await names.read(
        clanId,
        items.map(({ platformId }) => platformId),
      );
      const members = items.map((member) => memberResponse(member, clan, { names: known }));
      const { memberCursor } = await load.page();
      const rows = members.map(({ platformId, name, xp, rank, membership }) => {
        return [platformId, name ?? "", xp, rank, membership?.since ?? "none"];
      });
      const more = next ? ["There are more members: --limit, or clanxp export, prints them."] : [];
      cli.print({
        json: { members, nextCursor: next && memberCursor({ sort, after: next }) },
        text:
          members.length === 0
            ? "No members."
            : [table(["MEMBER", "NAME", "XP", "RANK", "MEMBERSHIP SINCE"], rows, ["XP"]), ...more].join("\n\n"),
      });
    });
}

function sortIn(text: string, faults: Faults): MemberSort {
  if (text !== "xp" && text !== "platformId") faults.push(`--sort is xp or platformId, not "${text}"`);
  return text === "platformId" ? "platformId" : "xp";
}
