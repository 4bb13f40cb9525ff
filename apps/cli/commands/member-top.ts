// member top: the leaderboard with positions, from the first one on, or around one member.
import type { Command } from "commander";
import { memberResponse } from "#contract/render.ts";
import { AROUND_SIZE_DEFAULT, isPlatformId, PAGE_SIZE_DEFAULT, PAGE_SIZE_MAX } from "#domain/bounds.ts";
import type { Cli } from "../cli.ts";
import type { Format } from "../show/format.ts";
import { examples, table } from "../show/text.ts";
import { positionText } from "../show/member.ts";
import { openFreshLists } from "../open/fresh-lists.ts";
import { load } from "../open/load.ts";
import { clanIdIn, limitIn, type Faults } from "../parse/options.ts";
import { CliError, rejectFaults } from "../cli-error.ts";
import { unknownClan } from "../show/not-found.ts";

type Options = { limit?: string; around?: string };

export function addMemberTop(parent: Command, cli: Cli): void {
  parent
    .command("top")
    .summary("show positions in the leaderboard")
    .description(
      "Lists the members with the most XP and their positions, or those around one member. Members with equal XP have equal positions. " +
        "Members who were removed are not listed.",
    )
    .argument("<clanId>", "the clan")
    .option(
      "--limit <N>",
      `maximum number of members, 1 to ${PAGE_SIZE_MAX} (default ${PAGE_SIZE_DEFAULT}, with --around ${AROUND_SIZE_DEFAULT})`,
    )
    .option("--around <platformId>", "the members above and below this one")
    .addHelpText(
      "after",
      examples([
        ["clanxp member top rovers --limit 10", "the first ten"],
        ["clanxp member top rovers --around 4711", "five above 4711, and five below"],
      ]),
    )
    .action(async (clanIdText: string, options: Options) => {
      const faults: Faults = [];
      const clanId = clanIdIn(clanIdText, faults);
      const { around } = options;
      if (around !== undefined && !isPlatformId(around)) faults.push(`--around is a platformId, not "${around}"`);
      const sizeDefault = around === undefined ? PAGE_SIZE_DEFAULT : AROUND_SIZE_DEFAULT;
      const limit = limitIn(options.limit ?? String(sizeDefault), PAGE_SIZE_MAX, faults);
      rejectFaults(faults);

      const { clans, names } = await cli.servers.stores();
      const clan = (await clans.read([clanId])).get(clanId);
      if (!clan) throw await unknownClan(clanId, clans);
      const { leaderboard, ...lists } = await openFreshLists(cli);
      const page =
        around === undefined
          ? await lists.page(clanId, { sort: "xp", limit, after: null })
          : await lists.around(clanId, { platformId: around, limit });
      if (!page)
        throw new CliError("member_not_found", `"${around}" is not in the leaderboard of the clan "${clanId}".`);
      const known = await names.read(
        clanId,
        page.items.map(({ platformId }) => platformId),
      );
      const positions = await leaderboard.positions(clanId, page.items);
      const members = page.items.map((member) => memberResponse(member, clan, { names: known, positions }));
      const { memberCursor } = await load.page();
      const text = ({ number }: Format) => {
        const rows = members.map(({ platformId, name, xp, rank, position }) => [
          position ? positionText(position, number) : "",
          platformId,
          name ?? "",
          number(xp),
          rank,
        ]);
        return table(["POSITION", "MEMBER", "NAME", "XP", "RANK"], rows, ["POSITION", "XP"]);
      };
      cli.print({
        json: { members, nextCursor: page.next && memberCursor({ sort: "xp", after: page.next }) },
        text: members.length === 0 ? "No members." : text,
      });
    });
}
