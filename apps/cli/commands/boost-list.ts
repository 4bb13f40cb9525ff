// boost list: a clan's boosts.
import type { Command } from "commander";
import { ENDED_BOOSTS_LISTED_MAX } from "#domain/boost.ts";
import type { Cli } from "../cli.ts";
import { rejectFaults } from "../cli-error.ts";
import { clanIdIn, type Faults } from "../parse/options.ts";
import { boostsResult } from "../show/boost.ts";
import { unknownClan } from "../show/not-found.ts";
import { examples } from "../show/text.ts";

export function addBoostList(parent: Command, cli: Cli): void {
  parent
    .command("list")
    .summary("list a clan's boosts")
    .description(
      `Lists a clan's boosts in the order in which they begin, with the ${ENDED_BOOSTS_LISTED_MAX} that ended last. The audit log has all of them.`,
    )
    .argument("<clanId>", "the clan")
    .addHelpText("after", examples([["clanxp boost list rovers", "what runs, what is coming, and what has ended"]]))
    .action(async (clanIdText: string) => {
      const faults: Faults = [];
      const clanId = clanIdIn(clanIdText, faults);
      rejectFaults(faults);

      const { clans, boosts } = await cli.servers.stores();
      const listed = await boosts.list(clanId);
      if (!listed) throw await unknownClan(clanId, clans);
      cli.print(boostsResult(listed, await boosts.now()));
    });
}
