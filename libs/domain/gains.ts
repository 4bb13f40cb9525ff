// What can be asked about gains: who gained how much in a span, and what one member gained in its parts.

/** The orders of a list. `least`: exactly the other list from its end. */
export const gainOrders = ["most", "least"] as const;
export type GainOrder = (typeof gainOrders)[number];

/** Days of a span: a year, and as much of the next one as boards count back. */
export const GAIN_DAYS_MAX = 400;

/** Into which a member's span is divided. */
export const gainParts = ["day", "week", "month"] as const;
export type GainPart = (typeof gainParts)[number];

/** In a chart: bars by day of a quarter, or by week of a little more than a year, are a few pixels wide on a phone. */
const [DAYS_BY_DAY_MAX, DAYS_BY_WEEK_MAX] = [92, 400];

/** Into which a chart of so many days is divided. */
export function gainPartOf(days: number): GainPart {
  if (days <= DAYS_BY_DAY_MAX) return "day";
  return days <= DAYS_BY_WEEK_MAX ? "week" : "month";
}
