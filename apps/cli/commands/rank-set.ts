// rank set: replaces a clan's whole list of ranks.
import type { Command } from "commander";
import { makeSetRanks } from "#usecases/clans/set-ranks.ts";
import type { Cli } from "../cli.ts";
import { examples } from "../examples.ts";
import { clanIdIn, rankIn, type Faults } from "../parse.ts";
import { refuseFaults } from "../refusal.ts";
import { clanResult } from "../show-clan.ts";
import { unknownClan } from "../unknown-clan.ts";

export function addRankSet(parent: Command, cli: Cli): void {
  parent
    .command("set")
    .summary("replace a clan's ranks")
    .description(
      "Replaces the whole list of a clan's ranks. NORMAL ranks are reached by XP and rise from the first to the last; STAFF and OWNER " +
        "are assigned with clanxp member add; the one GUEST rank is for players without a membership, and is added as Guest if omitted.",
    )
    .argument("<clanId>", "the clan")
    .requiredOption(
      "--rank <NAME:KIND[:THRESHOLD]>",
      "a rank; repeat the option for each: KIND is NORMAL, with its threshold, or GUEST, STAFF, OWNER",
      (spec: string, earlier: readonly string[] | undefined) => [...(earlier ?? []), spec],
    )
    .addHelpText(
      "after",
      examples([
        ["clanxp rank set rovers --rank Recruit:NORMAL:100 --rank Elite:NORMAL:10000", "Guest, Recruit, Elite"],
        ["clanxp rank set rovers --rank Visitor:GUEST --rank Crew:NORMAL:0 --rank Captain:OWNER", "another name for guests"],
        ["clanxp rank set rovers --rank 'Tier: I:NORMAL:5'", "the name may contain colons: the value is parsed from the right"],
      ]),
    )
    .action(async (clanIdText: string, options: { rank: string[] }) => {
      const faults: Faults = [];
      const clanId = clanIdIn(clanIdText, faults);
      const ranks = options.rank.map((spec) => rankIn(spec, faults));
      refuseFaults(faults);
      const by = cli.by();

      const { makeClanStore } = await import("#store/clan-store.ts");
      const clans = makeClanStore(await cli.servers.mongo());
      const change = await makeSetRanks({ clans })(clanId, ranks, by);
      if (change.kind === "faulty") refuseFaults(change.faults);
      if (change.kind !== "changed") throw await unknownClan(clanId, clans);
      cli.answer(clanResult(change.clan));
    });
}
