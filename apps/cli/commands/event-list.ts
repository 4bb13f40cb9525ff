// event list: what changed in a clan, from a cursor on, or the newest first; with --follow, until it is interrupted.
import { pause } from "#async/pause.ts";
import type { AnyEventResponse } from "#contract/event.ts";
import { eventResponse } from "#contract/event-response.ts";
import { AppError } from "#kernel/app-error.ts";
import { PAGE_SIZE_DEFAULT, PAGE_SIZE_MAX } from "#domain/bounds.ts";
import { eventTypes } from "#domain/event.ts";
import { filled } from "#domain/page.ts";
import { EVENTS_EXAMINED_MAX, LISTED_EVENTS_EXAMINED_MAX } from "#events/bounds.ts";
import type { EventFeed, EventList, EventPosition } from "#events/ports.ts";
import type { Command } from "commander";
import type { Cli } from "../cli.ts";
import { CliError, rejectFaults } from "../cli-error.ts";
import { load } from "../open/load.ts";
import { eventTypesIn } from "../parse/event-types.ts";
import { clanIdIn, collect, limitIn, type Faults } from "../parse/options.ts";
import { shownNames } from "../open/shown-names.ts";
import { eventCells, eventColumns, membersOf } from "../show/event.ts";
import { unknownClan } from "../show/not-found.ts";
import { examples, table, tableRow } from "../show/text.ts";

/** An event is readable within a second of its change; people notice no more. */
const FOLLOW_EVERY_MS = 500;

type Options = { after?: string; newest?: true; type?: string[]; limit?: string; follow?: true };
type Reading = { clanId: string; types: ReturnType<typeof eventTypesIn>; limit: number };
/** `past`: the event to read on after, which follows the position `from`. */
type Start = { from: EventPosition | "oldest" | "now"; past: string | null };
type Read = { events: AnyEventResponse[]; reached: EventPosition; hasMore: boolean };

export function addEventList(parent: Command, cli: Cli): void {
  parent
    .command("list")
    .summary("list what changed in a clan")
    .description(
      "Lists the events of a clan, oldest first unless --newest is set: changes of ranks and memberships, done batches and reversals, new rank rules, and changes of API keys. " +
        "Each call returns a cursor; the next call with --after continues there, so that no event is missed or repeated.",
    )
    .argument("<clanId>", "the clan")
    .option("--after <cursor|now>", "continue after this cursor, or with the next event; otherwise with the oldest one")
    .option("--newest", "the newest events first")
    .option(
      "--type <type>",
      `only these events; repeat the option for each: ${eventTypes.join(", ")}, or the first part, as member.*`,
      collect,
    )
    .option("--limit <N>", `maximum number of events, 1 to ${PAGE_SIZE_MAX} (default: ${PAGE_SIZE_DEFAULT})`)
    .option("--follow", "print one event a line until the command is interrupted")
    .addHelpText(
      "after",
      examples([
        ["clanxp event list rovers --type member.rank_changed", "who rose and fell, oldest first"],
        ["clanxp event list rovers --newest --limit 10", "the last ten events"],
        ["clanxp event list rovers --after now --follow", "what changes from now on"],
        ["clanxp event list rovers --json | jq -r .cursor", "where to continue"],
      ]),
    )
    .action(async (clanIdText: string, options: Options) => {
      const faults: Faults = [];
      const reading = {
        clanId: clanIdIn(clanIdText, faults),
        types: eventTypesIn(options.type, faults),
        limit: options.limit === undefined ? PAGE_SIZE_DEFAULT : limitIn(options.limit, PAGE_SIZE_MAX, faults),
      };
      if (options.newest && (options.after !== undefined || options.follow))
        faults.push("--newest cannot be used with --after or --follow, which read from the oldest event on");
      const start = await startIn(options.after, reading.clanId, faults);
      rejectFaults(faults);

      const { clans, events } = await cli.servers.stores();
      const { clanId } = reading;
      if (!(await clans.read([clanId])).has(clanId)) throw await unknownClan(clanId, clans);
      if (options.follow) await follow(cli, events, reading, await positionOf(events, clanId, start));
      else if (options.newest) await listNewest(cli, events, reading);
      else await list(cli, events, reading, start);
    });
}

async function list(cli: Cli, feed: EventFeed, reading: Reading, start: Start): Promise<void> {
  const { clanId } = reading;
  const after = await positionOf(feed, clanId, start);
  const isNow = start.from === "now" && after !== "oldest";
  const read = isNow ? { events: [], reached: after, hasMore: false } : await readAfter(feed, reading, after);
  await print(cli, clanId, read, read.hasMore ? "There are more events" : "For later events");
}

/** The cursor continues after them: no later event is missed. */
async function listNewest(cli: Cli, events: EventFeed & EventList, { clanId, types, limit }: Reading): Promise<void> {
  const reached = await events.end(clanId);
  const { items, next } = await filled({ limit, after: reached.n + 1 }, Infinity, (part) =>
    events.page(clanId, {
      types,
      search: null,
      before: part.after,
      limit: part.limit,
      examined: LISTED_EVENTS_EXAMINED_MAX,
    }),
  );
  const read = { events: items.map(eventResponse), reached, hasMore: next !== null };
  await print(cli, clanId, read, read.hasMore ? "There are older events. For later ones" : "For later events");
}

async function print(cli: Cli, clanId: string, { events, reached, hasMore }: Read, next: string): Promise<void> {
  const { eventCursor } = await load.page();
  const cursor = eventCursor(clanId, reached);
  const rows = await rowsOf(cli, clanId, events);
  const titles = eventColumns(cli.format).map(([title]) => title);
  const listed = events.length === 0 ? "No events." : table(titles, rows);
  cli.print({ json: { events, cursor, hasMore }, text: `${listed}\n\n${next}: continue with --after ${cursor}` });
}

async function rowsOf(cli: Cli, clanId: string, events: readonly AnyEventResponse[]): Promise<string[][]> {
  const names = await shownNames(cli, clanId, events.flatMap(membersOf));
  return events.map((event) => eventCells(event, names, cli.format));
}

/** Ends by a signal alone, or if the position is no longer in the chain. */
async function follow(cli: Cli, feed: EventFeed, reading: Reading, start: EventPosition | "oldest"): Promise<never> {
  const widths = eventColumns(cli.format).map(([, width]) => width);
  for (let after = start; ;) {
    const read = await readAfter(feed, reading, after).catch((error: unknown) => {
      if (!(error instanceof AppError && error.code === "unavailable")) throw error;
      cli.warn("MongoDB is unavailable. The list continues when it is available again.");
      return null;
    });
    if (read) {
      const lines = cli.isJson
        ? read.events.map((event) => JSON.stringify(event))
        : (await rowsOf(cli, reading.clanId, read.events)).map((cells) => tableRow(cells, widths));
      await cli.write(lines.map((line) => `${line}\n`).join(""));
      after = read.reached;
    }
    if (!read?.hasMore) await pause(FOLLOW_EVERY_MS);
  }
}

async function readAfter(
  feed: EventFeed,
  { clanId, types, limit }: Reading,
  after: EventPosition | "oldest",
): Promise<Read> {
  const read = await feed.readAfter(clanId, after, { types, limit, examined: EVENTS_EXAMINED_MAX });
  if (!read) throw expired();
  return { ...read, events: read.events.map(eventResponse) };
}

async function positionOf(feed: EventFeed, clanId: string, { from, past }: Start): Promise<EventPosition | "oldest"> {
  if (from === "now") return feed.end(clanId);
  if (from === "oldest" || past === null) return from;
  const located = await feed.locate(clanId, from.n, { eventId: past, within: EVENTS_EXAMINED_MAX });
  if (!located) throw expired();
  return located;
}

function expired(): CliError {
  return new CliError(
    "cursor_expired",
    "The events after this cursor are not stored any more, or a restored backup has undone them. " +
      "Read the members, then go on with --after now; or leave out --after to read from the oldest stored event.",
  );
}

/** Adds a fault for a text that is not a cursor, or that is a cursor of another clan. */
async function startIn(after: string | undefined, clanId: string, faults: Faults): Promise<Start> {
  const oldest = { from: "oldest", past: null } as const;
  if (after === undefined) return oldest;
  const [{ After }, { cursorClan }] = await Promise.all([load.events(), load.page()]);
  const { success, data } = After.safeParse(after);
  if (success && (data.clan === null || data.clan === cursorClan(clanId))) return data;
  faults.push(`--after is now, or a cursor that clanxp event list or the API returned for this clan, not "${after}"`);
  return oldest;
}
