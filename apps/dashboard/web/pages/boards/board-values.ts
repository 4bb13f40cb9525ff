// The form of a board: its fields, and the requests that follow from them.
import type { BoardResponse } from "#contract/board.ts";
import type { AddBoardRequest, BoardRhythm, ChangeBoardRequest } from "#contract/dashboard/boards.ts";
import { weekdays } from "#domain/board.ts";
import { foldedName } from "#domain/member-name.ts";
import { timestampOf } from "../../parts/local-time.ts";

export type BoardValues = {
  boardId: string;
  name: string;
  every: BoardResponse["every"];
  weekday: string;
  monthDay: string;
  at: string;
  timeZone: string;
  /** Of a new board: the day from which it counts; empty: today. */
  from: string;
  startsAt: string;
  endsAt: string;
  settleHours: string;
};

/** Where a fault of the request is shown, by its place there. */
export const boardFields = {
  "/periods/rhythm/on": "monthDay",
  "/periods/rhythm/at": "at",
  "/periods/rhythm/timeZone": "timeZone",
  "/periods/from": "from",
  "/periods/season/startsAt": "startsAt",
  periods: "endsAt",
  "/rhythm/on": "monthDay",
  "/rhythm/at": "at",
  "/rhythm/timeZone": "timeZone",
};

/** As BoardId permits. */
const BOARD_ID_CHARS_MAX = 32;

/** The ID of a new board, made from its name. */
export function boardIdOf(name: string): string {
  const words = foldedName(name).match(/[a-z0-9]+/g) ?? [];
  return words.join("-").slice(0, BOARD_ID_CHARS_MAX).replace(/-$/, "");
}

export function valuesOfNew(): BoardValues {
  return {
    boardId: "",
    name: "",
    every: "week",
    weekday: "monday",
    monthDay: "1",
    at: "00:00",
    timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    from: "",
    startsAt: "",
    endsAt: "",
    settleHours: "1",
  };
}

export function valuesOf({ boardId, name, every, on, at, timeZone, settleHours }: BoardResponse): BoardValues {
  return {
    ...valuesOfNew(),
    boardId,
    name,
    every,
    ...(typeof on === "string" ? { weekday: on } : {}),
    ...(typeof on === "number" ? { monthDay: `${on}` } : {}),
    at: at ?? "00:00",
    timeZone: timeZone ?? "UTC",
    settleHours: `${settleHours}`,
  };
}

/** As the server expects it; what a person typed wrong is reported by the schema. */
export function rhythmOf({ every, weekday, monthDay, at, timeZone }: BoardValues): BoardRhythm {
  const clock = { at, timeZone: timeZone.trim() };
  if (every === "week") return { every, on: weekdays.find((day) => day === weekday) ?? "monday", ...clock };
  if (every === "month") return { every, on: numberOf(monthDay), ...clock };
  return { every: "day", on: null, ...clock };
}

export function addRequestOf(values: BoardValues): AddBoardRequest {
  const { boardId, name, every, from, startsAt, endsAt, settleHours } = values;
  return {
    boardId: boardId.trim(),
    name: name.trim(),
    settleHours: numberOf(settleHours),
    periods:
      every === "season"
        ? { kind: "season", season: { startsAt: timestampOf(startsAt), endsAt: timestampOf(endsAt) } }
        : { kind: "rhythm", rhythm: rhythmOf(values), from: from === "" ? null : timestampOf(`${from}T00:00`) },
  };
}

export function changeRequestOf(values: BoardValues): ChangeBoardRequest {
  const rhythm = values.every === "season" ? null : rhythmOf(values);
  return { name: values.name.trim(), settleHours: numberOf(values.settleHours), rhythm };
}

function numberOf(text: string): number {
  return text.trim() === "" ? Number.NaN : Number(text);
}
