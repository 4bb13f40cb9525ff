// member gains: what a member gained in each day, week or month of a span.
import type { Command } from "commander";
import { gainParts } from "#domain/gains.ts";
import { memberGainsResponse } from "#contract/render-gains.ts";
import { GAIN_PARTS_MAX } from "#gains/bounds.ts";
import { gainPartsOf } from "#gains/read-member-gains.ts";
import type { Cli } from "../cli.ts";
import { rejectFaults } from "../cli-error.ts";
import { silentLog } from "../open/servers.ts";
import { clanIdIn, platformIdIn, spanIn, type Faults } from "../parse/options.ts";
import { timeZoneIn } from "../parse/time-zone.ts";
import { notFound, unknownClan } from "../show/not-found.ts";
import { examples, table } from "../show/text.ts";

type Options = { every: string; from: string; to: string; timeZone: string };

export function addMemberGains(parent: Command, cli: Cli): void {
  parent
    .command("gains")
    .summary("show what a member gained by day, week or month")
    .description(
      "Shows the XP that a player gained by awards in each day, week or month of a span, and the number of awards. " +
        "Reversals of these awards are subtracted; changes by people, imports and resets do not count.",
    )
    .argument("<clanId>", "the clan")
    .argument("<platformId>", "the player's id on the game's platform; put one that begins with - after --")
    .requiredOption("--every <part>", gainParts.join(", "))
    .requiredOption("--from <T>", "the beginning: a timestamp, a date (UTC), now, or -24h, -7d")
    .requiredOption("--to <T>", "the end, which is not included")
    .option("--time-zone <zone>", "in which days, weeks and months begin, as Europe/Berlin", "UTC")
    .addHelpText(
      "after",
      examples([["clanxp member gains rovers 4711 --every day --from -7d --to now", "the last week"]]),
    )
    .action(async (clanIdText: string, platformIdText: string, options: Options) => {
      const faults: Faults = [];
      const ref = { clanId: clanIdIn(clanIdText, faults), platformId: platformIdIn(platformIdText, faults) };
      const every = gainParts.find((part) => part === options.every) ?? "day";
      if (every !== options.every) faults.push(`--every is ${gainParts.join(" or ")}, not "${options.every}"`);
      const { from, to } = spanIn(options, cli.clock.now(), faults);
      const timeZone = timeZoneIn("--time-zone", options.timeZone, faults)?.name ?? "UTC";
      rejectFaults(faults);
      const parts = gainPartsOf({ every, timeZone }, from, to) ?? [];
      if (parts.length === 0) rejectFaults([`--every divides the span into more than ${GAIN_PARTS_MAX} parts`]);

      const { clans, members, openGains } = await cli.servers.stores();
      if (!(await clans.read([ref.clanId])).has(ref.clanId)) throw await unknownClan(ref.clanId, clans);
      if (!(await members.read(ref))) throw notFound.member(ref);
      const { ofMember } = openGains({ clock: cli.clock, log: silentLog, isThrottled: cli.servers.areAwardsServed });
      const json = memberGainsResponse(ref.platformId, { every, timeZone }, await ofMember(ref, parts));
      cli.print({
        json,
        text: ({ time, number }) => {
          const rows = json.gains.map(({ startsAt, endsAt, xp, awards }) => {
            return [time(startsAt), time(endsAt), number(xp), number(awards)];
          });
          return table(["FROM", "TO", "XP", "AWARDS"], rows, ["XP", "AWARDS"]);
        },
      });
    });
}
