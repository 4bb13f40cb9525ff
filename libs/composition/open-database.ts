// Opens the database with all collections of this service.
import { collections } from "#composition/collections.ts";
import * as mongo from "#mongo/database.ts";

type Opening = Parameters<typeof mongo.openDatabase>[0];
type Reaching = Parameters<typeof mongo.reachDatabase>[0];

/** As `openDatabase` of the store. */
export function openDatabase(options: Omit<Opening, "collections">): mongo.Database {
  return mongo.openDatabase({ ...options, collections });
}

/** As `reachDatabase` of the store. */
export function reachDatabase(options: Omit<Reaching, "collections">): Promise<mongo.Database> {
  return mongo.reachDatabase({ ...options, collections });
}
