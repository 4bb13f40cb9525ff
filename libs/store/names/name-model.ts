// The collection of members' names: its documents, and its indexes, each with the query that needs it.
import { Schema, type Connection, type Model } from "mongoose";
import { SCHEMA_OPTIONS } from "#store/schema-options.ts";

/** `words`: those of the name as a search compares them. `_id` is "clanId/platformId". */
export type NameDoc = { _id: string; clanId: string; platformId: string; name: string; words: string[] };

const nameSchema = new Schema<NameDoc>(
  {
    _id: { type: String, required: true },
    clanId: { type: String, required: true },
    platformId: { type: String, required: true },
    name: { type: String, required: true },
    words: [String],
  },
  SCHEMA_OPTIONS,
);
// An erasure in all clans.
nameSchema.index({ platformId: 1 });

export function makeNameModel(connection: Connection): Model<NameDoc> {
  return connection.model<NameDoc>("name", nameSchema, "names");
}
