// What the queries of batch records share: how many awards were applied, and which batches are unfinished.

/** An outcome, as `$$this`, that is no rejection. */
const WAS_APPLIED = { $eq: [{ $type: "$$this.code" }, "missing"] };
/** How many awards of a record were applied: those that it says, or those of its outcomes. */
export const APPLIED = {
  $ifNull: ["$appliedOnce", { $size: { $filter: { input: { $ifNull: ["$outcomes", []] }, cond: WAS_APPLIED } } }],
};
export const UNFINISHED = { state: { $in: ["queued", "running"] } } as const;
