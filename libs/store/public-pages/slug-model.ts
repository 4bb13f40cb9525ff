// The collection of slugs: which clan has which address of a public page, or had it. One that a clan has given up stays
// for some time, so that links to it do not lead to another clan.
import { Schema, type Connection, type Model } from "mongoose";
import { SCHEMA_OPTIONS } from "#store/schema-options.ts";

/** `_id` is the slug. `keptUntil`: the clan has given it up, and no other clan gets it before; null: it has it. */
export type SlugDoc = { _id: string; clanId: string; keptUntil: Date | null };

const slugSchema = new Schema<SlugDoc>(
  { _id: { type: String, required: true }, clanId: { type: String, required: true }, keptUntil: Date },
  SCHEMA_OPTIONS,
);
// Those of a clan, to bound how many it reserves.
slugSchema.index({ clanId: 1 });
// MongoDB removes those that are not reserved any more, and thereby decides when another clan may have them.
slugSchema.index({ keptUntil: 1 }, { expireAfterSeconds: 0 });

export function makeSlugModel(connection: Connection): Model<SlugDoc> {
  return connection.model<SlugDoc>("slug", slugSchema, "slugs");
}
