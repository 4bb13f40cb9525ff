// boost end: a boost stops acting on every process.
import type { Command } from "commander";
import { makeEndBoost } from "#boosts/end-boost.ts";
import type { Cli } from "../cli.ts";
import { boostResult } from "../show/boost.ts";
import { notFound } from "../show/not-found.ts";
import { examples } from "../show/text.ts";

export function addBoostEnd(parent: Command, cli: Cli): void {
  parent
    .command("end")
    .summary("end a boost")
    .description(
      "Ends a boost on every process within a second, also before it has begun. Awards that it has raised stay raised. Running it again changes nothing.",
    )
    .argument("<boostId>", "the boost, as clanxp boost list shows it")
    .addHelpText("after", examples([["clanxp boost end bst_0aB1cD2eF3gH4iJ5", "awards count as they are sent again"]]))
    .action(async (boostId: string) => {
      const by = cli.by();
      const { boosts } = await cli.servers.preparedStores();
      const boost = await makeEndBoost({ boosts })({ boostId }, by);
      if (!boost) throw notFound.boost(boostId);
      cli.print(boostResult(boost, await boosts.now()));
    });
}
