// board set: makes a board, or changes its name, its schedule or how long it settles.
import type { Command } from "commander";
import {
  boardKinds,
  BOARD_DAYS_BACK_MAX,
  BOARDS_PER_CLAN_MAX,
  MONTH_DAY_MAX,
  SETTLE_MS_MAX,
  weekdays,
  type Rhythm,
} from "#domain/board.ts";
import { makeSetBoard, type BoardRequest } from "#boards/set-board.ts";
import type { Cli } from "../cli.ts";
import { didYouMean, rejectFaults } from "../cli-error.ts";
import { boardIn, changedBoard, seasonIn, shownBoard } from "../open/boards.ts";
import { durationMsIn, nameIn, timestampIn, type Faults } from "../parse/options.ts";
import { timeZoneIn } from "../parse/time-zone.ts";
import { boardResult } from "../show/board.ts";
import { examples } from "../show/text.ts";

type Options = {
  every?: string;
  on?: string;
  at?: string;
  timeZone?: string;
  season?: true;
  from?: string;
  to?: string;
  name?: string;
  settle?: string;
};

export function addBoardSet(parent: Command, cli: Cli): void {
  parent
    .command("set")
    .summary("make a board, or change it")
    .description(
      "Makes a board, which counts the XP that members gain in each period, or changes the options that are given. A changed schedule begins " +
        `when the running period ends. A clan has at most ${BOARDS_PER_CLAN_MAX} boards.`,
    )
    .argument("<clanId>", "the clan")
    .argument("<boardId>", "its id in paths: 1 to 32 characters of a-z 0-9 -")
    .option("--every <day|week|month>", "how long a period is")
    .option(
      "--on <day>",
      `the day on which periods begin: monday to sunday, or 1 to ${MONTH_DAY_MAX} (default monday, 1)`,
    )
    .option("--at <HH:MM>", "the time of that day (default 00:00)")
    .option("--time-zone <zone>", "the time zone, as Europe/Berlin (default UTC)")
    .option("--season", "instead: a board of seasons, and its first one, with --from and --to")
    .option(
      "--from <time>",
      `count from the period that contains this time on, at most ${BOARD_DAYS_BACK_MAX} days ago`,
    )
    .option("--to <time>", "when the season ends")
    .option("--name <name>", "its name for people (default its id)")
    .option("--settle <duration>", "how long reversals change a period that has ended: 0h to 168h (default 1h)")
    .addHelpText(
      "after",
      examples([
        ["clanxp board set rovers weekly --every week --time-zone Europe/Berlin", "from Monday to Monday"],
        ["clanxp board set rovers monthly --every month --on 1 --from 2026-06-01", "also the months since June"],
        [
          "clanxp board set rovers seasons --season --from 2026-12-01T00:00:00Z --to 2027-03-01T00:00:00Z --name Seasons",
          "a board of seasons, with the first one",
        ],
      ]),
    )
    .action(async (clanIdText: string, boardIdText: string, options: Options) => {
      const faults: Faults = [];
      const ref = boardIn(clanIdText, boardIdText, faults);
      const request = requestIn(options, faults);
      rejectFaults(faults);
      const by = cli.by();

      const stores = await cli.servers.preparedStores();
      await changedBoard(cli, ref, await makeSetBoard(stores)(ref, request, by));
      cli.print(boardResult(await shownBoard(cli, ref)));
    });
}

function requestIn(options: Options, faults: Faults): BoardRequest {
  const { name, settle, season, from, to } = options;
  const common = {
    ...(name === undefined ? {} : { name: nameIn("--name", name, faults) }),
    ...(settle === undefined ? {} : { settleMs: durationMsIn("--settle", settle, SETTLE_MS_MAX, faults) }),
  };
  if (season) {
    const others = (["every", "on", "at", "timeZone"] as const).filter((option) => options[option] !== undefined);
    if (others.length > 0)
      faults.push("Use either --season with --from and --to, or --every, --on, --at and --time-zone");
    return { ...common, season: seasonIn(options, faults) };
  }
  if (to !== undefined) faults.push("--to is for --season: other periods follow each other without an end");
  const rhythm = rhythmIn(options, faults);
  if (!rhythm && from === undefined && Object.keys(common).length === 0)
    faults.push("Say what to set: --every, --on, --at, --time-zone, --season, --name or --settle");
  return {
    ...common,
    ...(rhythm ? { rhythm } : {}),
    ...(from === undefined ? {} : { from: timestampIn("--from", from, faults) }),
  };
}

function rhythmIn({ every, on, at, timeZone }: Options, faults: Faults): NonNullable<BoardRequest["rhythm"]> | null {
  const zone = timeZone === undefined ? undefined : timeZoneIn("--time-zone", timeZone, faults)?.name;
  const rhythm = {
    ...(every === undefined ? {} : { every: everyIn(every, faults) }),
    ...(on === undefined ? {} : { on: onIn(on, faults) }),
    ...(at === undefined ? {} : { at: timeOfDayIn(at, faults) }),
    ...(zone === undefined ? {} : { timeZone: zone }),
  };
  return Object.keys(rhythm).length === 0 ? null : rhythm;
}

function everyIn(text: string, faults: Faults): Rhythm["every"] {
  const kinds = boardKinds.filter((kind) => kind !== "season");
  const kind = kinds.find((known) => known === text);
  if (!kind) faults.push(`--every is ${kinds.join(", ")}, not "${text}".${didYouMean(text, kinds)}`);
  return kind ?? "day";
}

function onIn(text: string, faults: Faults): Rhythm["on"] {
  const weekday = weekdays.find((day) => day === text.toLowerCase());
  const day = /^\d{1,2}$/.test(text) ? Number(text) : 0;
  if (weekday) return weekday;
  if (day < 1 || day > MONTH_DAY_MAX)
    faults.push(
      `--on is monday to sunday, or 1 to ${MONTH_DAY_MAX}, because each month has these days, not "${text}".${didYouMean(text, weekdays)}`,
    );
  return day;
}

function timeOfDayIn(text: string, faults: Faults): string {
  if (!/^(?:[01]\d|2[0-3]):[0-5]\d$/.test(text))
    faults.push(`--at is a time of day from 00:00 to 23:59, not "${text}"`);
  return text;
}
