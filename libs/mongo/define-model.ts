// How a capability declares a collection that it queries by a model of mongoose, beside its documents and schema.
import type { Connection, Model, Schema } from "mongoose";
import { index, type DeclaredCollection } from "#mongo/collection.ts";

/** The model of a collection on a connection, which has one only. Asking for it reads and writes nothing. */
type ModelOn<Doc> = ((connection: Connection) => Model<Doc>) & { declared: DeclaredCollection };

export function defineModel<Doc>(name: string, schema: Schema<Doc>, collection: string): ModelOn<Doc> {
  const modelOn = (connection: Connection): Model<Doc> =>
    (connection.models[name] as Model<Doc> | undefined) ?? connection.model<Doc>(name, schema, collection);
  // Mongoose types the keys of an index more widely than the driver does.
  const indexes = (schema.indexes() as Parameters<typeof index>[]).map((one) => index(...one));
  return Object.assign(modelOn, { declared: { name: collection, indexes } });
}
