// The batches that game servers sent: a list, and one of them with its results.
import { z } from "zod";
import { ID_CHARS_MAX } from "#domain/bounds.ts";
import { BatchState } from "#contract/batch.ts";
import { ClanParams, endpoint, NoBody, NoQuery } from "#contract/dashboard/endpoint.ts";
import { Instant, textOf } from "#contract/text.ts";

const batchFacts = {
  /** Awards that are not applied yet are, or will be, rejected. */
  cancelled: z.boolean(),
  /** Null if their number is no longer known. */
  awards: z.int().nullable(),
};

export const ListedBatchFacts = z.strictObject({
  batchId: z.string(),
  status: BatchState.shape.status,
  ...batchFacts,
  applied: z.int(),
  createdAt: Instant,
  finishedAt: Instant.nullable(),
});
export type ListedBatchFacts = z.infer<typeof ListedBatchFacts>;

const BatchPage = z.strictObject({ batches: z.array(ListedBatchFacts), nextCursor: z.string().nullable() });

/** `hasResults` is false if its results were deleted by age. `names`: those of the members, by platformId. */
export const BatchFacts = BatchState.extend({
  ...batchFacts,
  hasResults: z.boolean(),
  names: z.record(z.string(), z.string()),
});
export type BatchFacts = z.infer<typeof BatchFacts>;

export const batchEndpoints = {
  "list-batches": endpoint({
    method: "GET",
    path: "/api/clans/{clanId}/batches",
    access: "viewer",
    params: ClanParams,
    /** `cursor`: the `nextCursor` of the previous page; the route parses it. */
    query: z.strictObject({ cursor: z.string().optional() }),
    body: NoBody,
    response: BatchPage,
  }),
  "read-batch": endpoint({
    method: "GET",
    path: "/api/clans/{clanId}/batches/{batchId}",
    access: "viewer",
    params: ClanParams.extend({ batchId: textOf(ID_CHARS_MAX) }),
    query: NoQuery,
    body: NoBody,
    response: BatchFacts,
  }),
  /** Rejects what is not applied yet; applied awards stay. */
  "cancel-batch": endpoint({
    method: "POST",
    path: "/api/clans/{clanId}/batches/{batchId}/cancel",
    access: "owner",
    params: ClanParams.extend({ batchId: textOf(ID_CHARS_MAX) }),
    query: NoQuery,
    body: NoBody,
    /** `isDone` is false if a worker runs it, which rejects the rest shortly. */
    response: z.strictObject({ applied: z.int(), cancelled: z.int(), isDone: z.boolean() }),
  }),
};
