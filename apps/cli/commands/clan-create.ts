// clan create: a new clan with Guest as its only rank.
import type { Command } from "commander";
import { makeCreateClan } from "#clans/create-clan.ts";
import type { Cli } from "../cli.ts";
import { examples } from "../show/text.ts";
import { clanIdIn, nameIn, type Faults } from "../parse/options.ts";
import { CliError, rejectFaults } from "../cli-error.ts";
import { clanResult } from "../show/clan.ts";

export function addClanCreate(parent: Command, cli: Cli): void {
  parent
    .command("create")
    .summary("create a clan")
    .description("Creates a clan with one rank, Guest. Add ranks with clanxp rank set.")
    .argument("<clanId>", "its id in paths: 1 to 64 characters of A-Z a-z 0-9 _ -")
    .option("--name <name>", "its display name (default: the clan id)")
    .option(
      "--auto",
      "an Auto Clan: XP is stored for everyone, and players who reach the first NORMAL rank become members",
    )
    .addHelpText("after", examples([["clanxp clan create rovers --name 'The Rovers' --auto", "an Auto Clan"]]))
    .action(async (clanIdText: string, options: { name?: string; auto?: true }) => {
      const faults: Faults = [];
      const clanId = clanIdIn(clanIdText, faults);
      const name = options.name === undefined ? clanId : nameIn("--name", options.name, faults);
      rejectFaults(faults);
      const by = cli.by();

      const createClan = makeCreateClan(await cli.servers.preparedStores());
      const created = await createClan({ clanId, name, autoClan: options.auto ?? false }, by);
      if (created.kind === "created") return cli.print(clanResult(created.clan));
      const why = created.kind === "taken" ? "exists already" : "was deleted, and its id is not used again";
      throw new CliError("clan_taken", `The clan "${clanId}" ${why}. Nothing was changed.`);
    });
}
