// gains: who gained how much in a span.
import type { Command } from "commander";
import { gainsFacts, gainsRow } from "#contract/render-gains.ts";
import { AppError } from "#kernel/app-error.ts";
import { PAGE_SIZE_DEFAULT } from "#domain/bounds.ts";
import { GAIN_DAYS_MAX, gainOrders, type GainOrder } from "#domain/gains.ts";
import { gainRows, namedGains, type NamedGain } from "#export/gain-rows.ts";
import type { GainCount, GainSpan } from "#gains/ports.ts";
import type { GainsPosition, ReadGains } from "#gains/read-gains.ts";
import type { Cli } from "../cli.ts";
import { CliError, rejectFaults } from "../cli-error.ts";
import { load } from "../open/load.ts";
import { silentLog } from "../open/servers.ts";
import { clanIdIn, limitIn, spanIn, type Faults } from "../parse/options.ts";
import { unknownClan } from "../show/not-found.ts";
import type { Format } from "../show/format.ts";
import { openProgress } from "../show/progress.ts";
import { examples, table } from "../show/text.ts";

type Options = { from: string; to: string; order: string; limit?: string; csv?: true };
const LIMIT_MAX = 10_000;
const DAY_MS = 86_400_000;

export function addGains(parent: Command, cli: Cli): void {
  parent
    .command("gains")
    .summary("show who gained how much XP in a span")
    .description(
      "Lists everybody with an award in a span by the XP that they gained in it, also who has left since. " +
        "Reversals of these awards are subtracted; changes by people, imports and resets do not count.",
    )
    .argument("<clanId>", "the clan")
    .requiredOption("--from <T>", "the beginning: a timestamp, a date (UTC), now, or -24h, -7d")
    .requiredOption("--to <T>", `the end, which is not included, at most ${GAIN_DAYS_MAX} days later`)
    .option("--order <most|least>", "who gained the most first, or the same list from its end", "most")
    .option(
      "--limit <N>",
      `maximum number of members, 1 to ${LIMIT_MAX} (default ${PAGE_SIZE_DEFAULT}, with --csv all)`,
    )
    .option("--csv", "as CSV")
    .addHelpText(
      "after",
      examples([
        ["clanxp gains rovers --from -30d --to now --limit 10", "the ten who gained the most in 30 days"],
        ["clanxp gains rovers --from 2026-01-01 --to 2026-07-01 --csv", "half a year, for a spreadsheet"],
      ]),
    )
    .action(async (clanIdText: string, options: Options) => {
      const faults: Faults = [];
      const clanId = clanIdIn(clanIdText, faults);
      const span = spanIn(options, cli.clock.now(), faults);
      if (faults.length === 0 && span.to.getTime() - span.from.getTime() > GAIN_DAYS_MAX * DAY_MS)
        faults.push(`--to is more than ${GAIN_DAYS_MAX} days later than --from`);
      const order = gainOrders.find((one) => one === options.order) ?? "most";
      if (order !== options.order) faults.push(`--order is ${gainOrders.join(" or ")}, not "${options.order}"`);
      const { csv = false, limit: limitText = csv ? null : String(PAGE_SIZE_DEFAULT) } = options;
      const limit = limitText === null ? Infinity : limitIn(limitText, LIMIT_MAX, faults);
      rejectFaults(faults);

      const { clans } = await cli.servers.preparedStores();
      if (!(await clans.read([clanId])).has(clanId)) throw await unknownClan(clanId, clans);
      const { gains, count } = await counted(cli, clanId, span);
      await (csv ? writeCsv : show)(cli, gains, count, { order, limit });
    });
}

/** Waits until the span is counted, and shows the progress. */
async function counted(cli: Cli, clanId: string, span: GainSpan): Promise<{ gains: ReadGains; count: GainCount }> {
  const progress = await openProgress(cli.terminal, async () => 100);
  const onProgress = (done: number): void => progress.show(Math.floor(done * 100));
  const { openGains } = await cli.servers.preparedStores();
  const gains = openGains({ clock: cli.clock, log: silentLog, isThrottled: cli.servers.areAwardsServed, onProgress });
  try {
    for (;;) {
      const count = await gains.count(clanId, span);
      if (count) return { gains, count };
    }
  } catch (error) {
    if (error instanceof AppError && error.code === "invalid_request") throw new CliError("usage", error.message);
    throw error;
  } finally {
    progress.close();
  }
}

type Listing = { order: GainOrder; limit: number };

async function show(cli: Cli, gains: ReadGains, count: GainCount, listing: Listing): Promise<void> {
  const { names } = await cli.servers.stores();
  const items: NamedGain[] = [];
  let after: GainsPosition | null = null;
  for await (const page of namedGains({ gains, names }, count, listing)) {
    items.push(...page.items);
    after = page.next;
  }
  const { gainsCursor } = await load.page();
  const members = items.map((row) => ({ ...gainsRow(row), name: row.name }));
  const text = ({ time, number }: Format) => {
    const rows = members.map(({ position, platformId, name, xp, awards, membership, lastAwardAt }) => {
      const counts = [number(xp), number(awards), membership ? "" : "left"];
      return [number(position), platformId, name ?? "", ...counts, time(lastAwardAt)];
    });
    const header = ["POSITION", "MEMBER", "NAME", "XP", "AWARDS", "", "LAST AWARD"];
    return table(header, rows, ["POSITION", "XP", "AWARDS"]);
  };
  cli.print({
    json: { ...gainsFacts(count), members, nextCursor: after && gainsCursor(after) },
    text: members.length === 0 ? "Nobody has an award in this span." : text,
  });
}

async function writeCsv(cli: Cli, gains: ReadGains, count: GainCount, listing: Listing): Promise<void> {
  const { names } = await cli.servers.stores();
  const { csvOf } = await load.csvWriter();
  for await (const text of csvOf("gains", gainRows({ gains, names }, count, listing))) await cli.write(text);
}
