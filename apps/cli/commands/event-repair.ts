// event repair: lets workers number the events that a clan's changes should have and that are not in its list.
import { makeRepairEvents } from "#events/repair-events.ts";
import type { Command } from "commander";
import type { Cli } from "../cli.ts";
import { rejectFaults } from "../cli-error.ts";
import { clanIdIn, timestampIn, type Faults } from "../parse/options.ts";
import { unknownClan } from "../show/not-found.ts";
import { examples, facts } from "../show/text.ts";

export function addEventRepair(parent: Command, cli: Cli): void {
  parent
    .command("repair")
    .summary("add events that are missing")
    .description(
      "Reads the ledger entries, batches and reversals of a clan since a time, and marks those whose events are missing, so that a worker adds them: " +
        "after later events, with the time of their change. Events that were erased or deleted by age are not added, and imports have none. You can run it again.",
    )
    .argument("<clanId>", "the clan")
    .requiredOption("--since <time>", "changes at or after this date, or timestamp with time zone")
    .addHelpText(
      "after",
      examples([["clanxp event repair rovers --since 2026-11-01", "events of changes since November 1"]]),
    )
    .action(async (clanIdText: string, { since: sinceText }: { since: string }) => {
      const faults: Faults = [];
      const clanId = clanIdIn(clanIdText, faults);
      const since = timestampIn("--since", sinceText, faults);
      rejectFaults(faults);

      const { clans, events, eventRepair } = await cli.servers.stores();
      const clan = (await clans.read([clanId])).get(clanId);
      if (!clan) throw await unknownClan(clanId, clans);
      const { examined, added } = await makeRepairEvents({ chain: events, repair: eventRepair })(clan, since);
      cli.print({
        json: { examined, added },
        text: facts([
          ["clan", clanId],
          ["examined", `${examined} changes that have events`],
          ["added", added === 0 ? "0: no event is missing" : `${added} events, which a worker adds to the list`],
        ]),
      });
    });
}
