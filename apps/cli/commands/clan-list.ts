// clan list: every clan.
import type { Command } from "commander";
import { totalsResponse } from "#contract/render.ts";
import type { Clan } from "#domain/clan.ts";
import type { Totals } from "#domain/totals.ts";
import type { Cli } from "../cli.ts";
import { rejectFaults } from "../cli-error.ts";
import type { Format } from "../show/format.ts";
import { examples, table } from "../show/text.ts";
import { clanJson } from "../show/clan.ts";
import { openFreshLists } from "../open/fresh-lists.ts";

type Options = { totals?: boolean; sort?: string };
type Listed = { clan: Clan; totals: Totals | null };

export function addClanList(parent: Command, cli: Cli): void {
  parent
    .command("list")
    .summary("list the clans")
    .description("Lists every clan, by clan id.")
    .option("--totals", "also the number of members and the sum of their XP, without removed members")
    .option("--sort <xp>", "with --totals: the clan with the most XP first")
    .addHelpText(
      "after",
      examples([
        ["clanxp clan list --json | jq -r .clans[].clanId", "the clan ids"],
        ["clanxp clan list --totals --sort xp", "the clans with the most XP"],
      ]),
    )
    .action(async ({ totals: withTotals = false, sort }: Options) => {
      if (sort !== undefined && sort !== "xp") rejectFaults([`--sort is xp, not "${sort}"`]);
      if (sort !== undefined && !withTotals) rejectFaults(["--sort is only for --totals"]);
      const clans = await (await cli.servers.stores()).clans.list();
      const listed = withTotals
        ? await withTotalsOf(cli, clans)
        : clans.map((clan): Listed => ({ clan, totals: null }));
      if (sort === "xp") listed.sort((a, b) => compare(b.totals?.xp ?? 0n, a.totals?.xp ?? 0n));
      cli.print({
        json: {
          clans: listed.map(({ clan, totals }) => ({
            ...clanJson(clan),
            ...(totals ? { totals: totalsResponse(totals) } : {}),
          })),
        },
        text: (format) => {
          if (clans.length === 0) return "No clans yet. Create one with: clanxp clan create <clanId>";
          const header = ["CLAN", "NAME", "AUTO", ...(withTotals ? ["MEMBERS", "XP"] : []), "RANKS"];
          const rows = listed.map((one) => cellsOf(one, format));
          return table(header, rows, ["MEMBERS", "XP"]);
        },
      });
    });
}

/** One after the other: each reads all members of the clan. */
async function withTotalsOf(cli: Cli, clans: readonly Clan[]): Promise<Listed[]> {
  const { leaderboard } = await openFreshLists(cli);
  const listed: Listed[] = [];
  for (const clan of clans) listed.push({ clan, totals: await leaderboard.totals(clan.clanId) });
  return listed;
}

function cellsOf({ clan, totals }: Listed, { number }: Format): string[] {
  return [
    clan.clanId,
    clan.name,
    clan.autoClan ? "on" : "off",
    ...(totals ? [number(totals.members), number(totals.xp)] : []),
    clan.ranks.map((rank) => rank.name).join(", "),
  ];
}

function compare(a: bigint, b: bigint): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
