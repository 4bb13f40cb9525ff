// What can be asked about gains: who gained how much in a span, and what one member gained in its parts.

/** The orders of a list. `least`: exactly the other list from its end. */
export const gainOrders = ["most", "least"] as const;
export type GainOrder = (typeof gainOrders)[number];

/** Days of a span: a year, and as much of the next one as boards count back. */
export const GAIN_DAYS_MAX = 400;

/** Into which a member's span is divided. */
export const gainParts = ["day", "week", "month"] as const;
