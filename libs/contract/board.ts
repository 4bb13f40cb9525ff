// GET …/boards and below, as docs/reference/api.md describes them.
import { z } from "zod";
import { boardKinds, isBoardId } from "#domain/board.ts";
import { periodStatuses } from "#domain/period.ts";
import { Instant, PlatformId, XpText } from "#contract/text.ts";

export const BoardId = z
  .string()
  .refine(isBoardId, "must be 1 to 32 characters of a-z 0-9 -")
  .meta({
    pattern: "^[a-z0-9-]{1,32}$",
    description: "The board.",
    examples: ["weekly"],
  });
/** A word or an id; what is neither names no period, which is 404. */
export const PeriodId = z.string().meta({
  description: "The period: its `periodId`, `current`, or `previous`, the newest that has ended.",
  examples: ["20261123T000000Z"],
});

export const PeriodResponse = z
  .strictObject({
    periodId: z.string(),
    startsAt: Instant,
    endsAt: Instant,
    finalAt: Instant,
    status: z.enum(periodStatuses),
    members: z.int().min(0).meta({ description: "Members on the board." }),
  })
  .meta({
    id: "Period",
    description:
      "Awards from `startsAt` until before `endsAt` count, and reversals of these until before `finalAt`. A `final` period does not change.",
  });
export type PeriodResponse = z.infer<typeof PeriodResponse>;

export const BoardResponse = z
  .strictObject({
    boardId: z.string(),
    name: z.string(),
    every: z.enum(boardKinds),
    on: z.union([z.string(), z.int()]).nullable().meta({
      description: "The day on which periods begin: of the week, as `monday`, or of the month, 1 to 28.",
    }),
    at: z.string().nullable().meta({ description: "HH:MM in the time zone." }),
    timeZone: z.string().nullable(),
    settleHours: z.number().min(0).max(168),
    current: PeriodResponse.nullable().meta({ description: "Null outside of seasons." }),
  })
  .meta({ id: "Board" });
export type BoardResponse = z.infer<typeof BoardResponse>;
export const BoardsResponse = z.strictObject({ boards: z.array(BoardResponse) }).meta({ id: "Boards" });

export const PeriodsResponse = z
  .strictObject({ periods: z.array(PeriodResponse), nextCursor: z.string().nullable() })
  .meta({ id: "PeriodPage" });

export const StandingResponse = z
  .strictObject({
    platformId: PlatformId,
    xp: XpText,
    position: z.int().min(1).meta({ description: "1 plus the number of members with more XP." }),
    reachedAt: Instant.meta({
      description: "When the member reached this XP. Of equal XP, the first is listed first.",
    }),
  })
  .meta({ id: "Standing" });
export type StandingResponse = z.infer<typeof StandingResponse>;
const ListedStanding = StandingResponse.extend({
  /** Only with `include=name`. */
  name: z.string().nullable().exactOptional(),
}).meta({ id: "ListedStanding" });
export const StandingsResponse = z
  .strictObject({
    period: PeriodResponse,
    asOf: Instant.meta({ description: "Every award that was acknowledged before is included." }),
    members: z.array(ListedStanding),
    /** Only with `platformIds`: those who are not on the board. */
    missing: z.array(PlatformId).exactOptional(),
    nextCursor: z.string().nullable(),
  })
  .meta({ id: "StandingPage" });
export type StandingsResponse = z.infer<typeof StandingsResponse>;
