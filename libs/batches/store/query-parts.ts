// Shared parts of the queries of batch records: the filter for unfinished ones, and the numbers of applied and rejected
// awards, which MongoDB counts because a record may have 100 kB.

/** The type of an outcome's code: a rejection has one. */
const CODE_TYPE = { $type: "$$this.code" };

/** The number of outcomes of a record for which the condition holds of `$$this`. */
export function outcomesWhere(cond: object) {
  return { $size: { $filter: { input: { $ifNull: ["$outcomes", []] }, cond } } };
}

/** The number of applied awards of a record: as stored, or counted from its outcomes. */
export const APPLIED = { $ifNull: ["$appliedOnce", outcomesWhere({ $eq: [CODE_TYPE, "missing"] })] };
/** The number of rejected awards of a record; 0 once its details were deleted. */
export const REJECTED = outcomesWhere({ $ne: [CODE_TYPE, "missing"] });
export const UNFINISHED = { state: { $in: ["queued", "running"] } } as const;
