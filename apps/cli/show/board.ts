// Boards, periods and standings in the output of the CLI.
import { boardResponse, periodResponse, standingResponse } from "#contract/render.ts";
import type { ShownPeriod } from "#usecases/boards/find-period.ts";
import type { ShownBoard, Standings } from "#usecases/boards/read-boards.ts";
import type { CommandResult } from "../cli.ts";
import { table } from "./text.ts";

function boardJson(board: ShownBoard) {
  return { clanId: board.clanId, ...boardResponse(board) };
}

export function boardsResult(boards: readonly ShownBoard[]): CommandResult {
  return { json: { boards: boards.map(boardJson) }, text: boards.length === 0 ? "No boards yet." : boardsText(boards) };
}

export function boardResult(board: ShownBoard, periods: readonly ShownPeriod[] | null = null): CommandResult {
  const shown = periods ? { periods: periods.map(periodResponse) } : {};
  const text = [boardsText([board]), ...(periods ? [periodsText(periods)] : [])].join("\n\n");
  return { json: { ...boardJson(board), ...shown }, text };
}

function boardsText(boards: readonly ShownBoard[]): string {
  const rows = boards.map(({ boardId, name, current, ...board }) => [
    boardId,
    name,
    scheduleText(board),
    `${board.settleMs / 3_600_000} h`,
    current?.startsAt.toISOString() ?? "",
    current?.endsAt.toISOString() ?? "",
  ]);
  return table(["BOARD", "NAME", "EVERY", "SETTLES", "STARTED", "ENDS"], rows);
}

function scheduleText({ schedule }: Pick<ShownBoard, "schedule">): string {
  if (schedule.every === "season") return "season";
  const { every, on, at, timeZone } = schedule;
  return `${every}${on === null ? "" : ` on ${on}`} at ${at} ${timeZone}`;
}

function periodsText(periods: readonly ShownPeriod[]): string {
  const rows = periods.map(({ periodId, status, startsAt, endsAt, finalAt, members }) => [
    periodId,
    status,
    startsAt.toISOString(),
    endsAt.toISOString(),
    finalAt.toISOString(),
    String(members),
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
  const rows = members.map(({ position, platformId, name, xp, reachedAt }) => [
    String(position),
    platformId,
    name ?? "",
    xp,
    reachedAt,
  ]);
  const list = table(["POSITION", "MEMBER", "NAME", "XP", "REACHED"], rows, ["POSITION", "XP"]);
  return {
    json: { period: periodResponse(period), asOf: asOf.toISOString(), members, nextCursor },
    text: `${periodsText([period])}\n\n${rows.length === 0 ? "No members." : list}`,
  };
}
