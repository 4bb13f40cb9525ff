// Boards, periods and standings in the output of the CLI.
import { boardResponse, periodResponse, standingResponse } from "#contract/render.ts";
import type { ShownPeriod } from "#boards/find-period.ts";
import type { ShownBoard, Standings } from "#boards/read-boards.ts";
import type { CommandResult } from "../cli.ts";
import type { Format } from "./format.ts";
import { table } from "./text.ts";

function boardJson(board: ShownBoard) {
  return { clanId: board.clanId, ...boardResponse(board) };
}

export function boardsResult(boards: readonly ShownBoard[]): CommandResult {
  return {
    json: { boards: boards.map(boardJson) },
    text: (format) => (boards.length === 0 ? "No boards yet." : boardsText(boards, format)),
  };
}

export function boardResult(board: ShownBoard, periods: readonly ShownPeriod[] | null = null): CommandResult {
  const shown = periods ? { periods: periods.map(periodResponse) } : {};
  return {
    json: { ...boardJson(board), ...shown },
    text: (format) => [boardsText([board], format), ...(periods ? [periodsText(periods, format)] : [])].join("\n\n"),
  };
}

function boardsText(boards: readonly ShownBoard[], { time }: Format): string {
  const rows = boards.map(({ boardId, name, current, ...board }) => [
    boardId,
    name,
    scheduleText(board),
    `${board.settleMs / 3_600_000} h`,
    current ? time(current.startsAt) : "",
    current ? time(current.endsAt) : "",
  ]);
  return table(["BOARD", "NAME", "EVERY", "SETTLES", "STARTED", "ENDS"], rows);
}

function scheduleText({ schedule }: Pick<ShownBoard, "schedule">): string {
  if (schedule.every === "season") return "season";
  const { every, on, at, timeZone } = schedule;
  return `${every}${on === null ? "" : ` on ${on}`} at ${at} ${timeZone}`;
}

function periodsText(periods: readonly ShownPeriod[], { time, number }: Format): string {
  const rows = periods.map(({ periodId, status, startsAt, endsAt, finalAt, members }) => [
    periodId,
    status,
    time(startsAt),
    time(endsAt),
    time(finalAt),
    number(members),
  ]);
  return table(["PERIOD", "STATE", "STARTS", "ENDS", "FINAL", "MEMBERS"], rows, ["MEMBERS"]);
}

/** `nextCursor` as of the API. */
export function standingsResult(
  { period, asOf, items }: Standings,
  names: ReadonlyMap<string, string>,
  nextCursor: string | null,
): CommandResult {
  const members = items.map((one) => ({ ...standingResponse(one), name: names.get(one.platformId) ?? null }));
  return {
    json: { period: periodResponse(period), asOf: asOf.toISOString(), members, nextCursor },
    text(format) {
      const rows = members.map(({ position, platformId, name, xp, reachedAt }) => [
        format.number(position),
        platformId,
        name ?? "",
        format.number(xp),
        format.time(reachedAt),
      ]);
      const list = table(["POSITION", "MEMBER", "NAME", "XP", "REACHED"], rows, ["POSITION", "XP"]);
      return `${periodsText([period], format)}\n\n${rows.length === 0 ? "No members." : list}`;
    },
  };
}
