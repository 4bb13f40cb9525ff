// Shared parts of the queries of batch records: the number of applied awards, and the filter for unfinished batches.

/** Whether an outcome, as `$$this`, is not a rejection. */
const WAS_APPLIED = { $eq: [{ $type: "$$this.code" }, "missing"] };
/** The number of applied awards of a record: as stored, or counted from its outcomes. */
export const APPLIED = {
  $ifNull: ["$appliedOnce", { $size: { $filter: { input: { $ifNull: ["$outcomes", []] }, cond: WAS_APPLIED } } }],
};
export const UNFINISHED = { state: { $in: ["queued", "running"] } } as const;
