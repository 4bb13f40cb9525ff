// The bounds of gains, each with its reason.

/** The parts of a member's gains: a chart has one for each few pixels, and a year of days fits. */
export const GAIN_PARTS_MAX = 400;
