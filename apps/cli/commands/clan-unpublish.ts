// clan unpublish: ends the public page of a clan.
import type { Command } from "commander";
import { SLUG_RESERVED_DAYS } from "#domain/public-page.ts";
import type { Cli } from "../cli.ts";
import { rejectFaults } from "../cli-error.ts";
import { clanIdIn, type Faults } from "../parse/options.ts";
import { unknownClan } from "../show/not-found.ts";
import { examples } from "../show/text.ts";

export function addClanUnpublish(parent: Command, cli: Cli): void {
  parent
    .command("unpublish")
    .summary("end the public page of a clan")
    .description(
      `Ends the clan's public page within a second. Its settings stay, and no other clan gets its address for ${SLUG_RESERVED_DAYS} days.`,
    )
    .argument("<clanId>", "the clan")
    .addHelpText("after", examples([["clanxp clan unpublish rovers", "its address is not found any more"]]))
    .action(async (clanIdText: string) => {
      const faults: Faults = [];
      const clanId = clanIdIn(clanIdText, faults);
      rejectFaults(faults);
      const by = cli.by();

      const { clans, publicPages } = await cli.servers.preparedStores();
      const done = await publicPages.unpublish(clanId, by);
      if (!done) throw await unknownClan(clanId, clans);
      cli.print({
        json: { clanId, publicPage: null, wasPublished: done.was },
        text: done.was ? "The public page is unpublished." : "The clan has no published page. Nothing was changed.",
      });
    });
}
