// The names of the ranges of time that charts show.
import type { HistoryRange, TimeRange } from "#domain/time-range.ts";

export const rangeTexts = {
  "1h": "1 hour",
  "24h": "24 hours",
  "7d": "7 days",
  "30d": "30 days",
  all: "All time",
} as const satisfies Record<TimeRange | HistoryRange, string>;
