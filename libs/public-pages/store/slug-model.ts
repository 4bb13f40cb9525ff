// The collection of slugs: which clan has which address of a public page, or had it. One that a clan has given up stays
// for some time, so that links to it do not lead to another clan.
import { index } from "#mongo/collection.ts";

/** `_id` is the slug. `keptUntil`: the clan has given it up, and no other clan gets it before; null: it has it. */
export type SlugDoc = { _id: string; clanId: string; keptUntil: Date | null };

export const SLUGS = {
  name: "slugs",
  indexes: [
    // Those of a clan, to bound how many it reserves.
    index({ clanId: 1 }),
    // MongoDB removes those that are not reserved any more, and thereby decides when another clan may have them.
    index({ keptUntil: 1 }, { expireAfterSeconds: 0 }),
  ],
};
