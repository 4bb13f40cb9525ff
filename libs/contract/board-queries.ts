// The query parameters of GET …/boards/{boardId}/periods and below.
import { z } from "zod";
import { listFormQuery, requireOneForm } from "#contract/list-form.ts";
import { PageLimit, PeriodCursor, StandingCursor } from "#contract/page.ts";

export const PeriodsQuery = z.strictObject({ limit: PageLimit, cursor: PeriodCursor.optional() });
export const StandingsQuery = z
  .strictObject({ ...listFormQuery, cursor: StandingCursor.optional() })
  .superRefine(requireOneForm);
