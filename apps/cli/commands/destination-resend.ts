// destination resend: sends events of a destination once more.
import type { Command } from "commander";
import type { ResendWhich } from "#delivery/resend-deliveries.ts";
import type { Cli } from "../cli.ts";
import { CliError, rejectFaults } from "../cli-error.ts";
import { openDestinationsBy } from "../open/destinations.ts";
import { timestampIn, type Faults } from "../parse/options.ts";
import { rejectedDestination } from "../show/destination.ts";
import { examples, numberOf } from "../show/text.ts";

type Options = { event?: string; failed?: true; from?: string; to?: string; yes?: true };

export function addDestinationResend(parent: Command, cli: Cli): void {
  parent
    .command("resend")
    .summary("send events again")
    .description(
      "Sends one event, all failed ones, or those of a time span to the destination once more: the same body, signed with the present secret. " +
        "Asks for confirmation; without a terminal, --yes is required.",
    )
    .argument("<destinationId>", "the destination, as clanxp destination list shows it")
    .option("--event <eventId>", "this event")
    .option("--failed", "all deliveries that have failed")
    .option("--from <time>", "events at this time or later, as 2026-11-21T18:00:00Z")
    .option("--to <time>", "events before this time (default: now; with --from)")
    .option("--yes", "do not ask")
    .addHelpText(
      "after",
      examples([
        ["clanxp destination resend dst_0mi6qz3k1a2b3c4d --failed", "after you have repaired your server"],
        [
          "clanxp destination resend dst_0mi6qz3k1a2b3c4d --from 2026-11-21T18:00:00Z --to 2026-11-21T20:00:00Z --yes",
          "two hours that your server has lost",
        ],
      ]),
    )
    .action(async (destinationId: string, options: Options) => {
      const faults: Faults = [];
      const which = whichIn(options, cli.clock.now(), faults);
      rejectFaults(faults);
      const { by, manage } = await openDestinationsBy(cli);
      const confirm = async (events: number): Promise<boolean> => {
        const what = numberOf(events, "event");
        if (options.yes) return true;
        if (!cli.confirm) throw new CliError("not_confirmed", `Nothing was sent. Add --yes to send ${what} again.`);
        return cli.confirm(`Send ${what} again?`);
      };
      const resent = await manage.resend(destinationId, which, by, confirm);
      if (resent.kind === "rejected") throw rejectedDestination(resent);
      if (resent.kind === "declined") throw new CliError("not_confirmed", "Nothing was sent.");
      const { events } = resent;
      cli.print({ json: { events }, text: `${events === 1 ? "1 event is" : `${events} events are`} sent again.` });
    });
}

function whichIn({ event, failed, from, to }: Options, now: Date, faults: Faults): ResendWhich {
  if ([event, failed, from].filter((one) => one !== undefined).length !== 1)
    faults.push("Name exactly one of --event, --failed and --from");
  if (to !== undefined && from === undefined) faults.push("--to needs --from");
  if (event !== undefined) return { eventId: event };
  if (from === undefined) return { failed: true };
  const span = {
    from: timestampIn("--from", from, faults),
    to: to === undefined ? now : timestampIn("--to", to, faults),
  };
  if (faults.length === 0 && span.to <= span.from) faults.push("--to must be later than --from");
  return span;
}
