// The query parameters of GET …/boards/{boardId}/periods and below.
import { z } from "zod";
import { includeOf } from "#contract/include.ts";
import { listFormQuery, requireOneForm } from "#contract/list-form.ts";
import { PageLimit, PeriodCursor, StandingCursor } from "#contract/page.ts";

const StandingInclude = includeOf(["name"], "`name` adds the name by which people know the member.");

export const PeriodsQuery = z.strictObject({ limit: PageLimit, cursor: PeriodCursor.optional() });
export const StandingsQuery = z
  .strictObject({ ...listFormQuery, cursor: StandingCursor.optional(), include: StandingInclude })
  .superRefine(requireOneForm);
