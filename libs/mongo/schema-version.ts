// The version of a database's documents, stored in it: a version that is too old to read them exits instead of
// guessing.
import type { Db } from "mongodb";
import { AppError } from "#kernel/app-error.ts";
import { MAJORITY } from "#mongo/mongo-calls.ts";

/** The version of the documents that this code writes. It increases with each change of documents or indexes. */
const SCHEMA_VERSION = 4;
/**
 * The oldest version that can read everything that this one writes. Version 1 (0.1.0) creates memberships without an
 * entry, which this version ignores. Its processes that already run do no harm, but none may be started.
 */
const READABLE_FROM = 2;

type SchemaDoc = { _id: "schema"; version: number; readableFrom: number };

/**
 * Throws AppError `unavailable`, with what to do, if documents of the database are newer than this version can read.
 * Only reads.
 */
export async function rejectNewerSchema(db: Db): Promise<void> {
  await readSchema(db);
}

/**
 * For a command that writes while other processes run. True if the database is new or of this version, so that its
 * collections and indexes may be created. False if an older version serves it that can read what this one writes: the
 * first upgraded process upgrades the database, because old processes may not start after that. Throws AppError
 * `unavailable` if the older version cannot read it.
 */
export async function mayPrepare(
  db: Db,
  own = { version: SCHEMA_VERSION, readableFrom: READABLE_FROM },
): Promise<boolean> {
  const schema = await readSchema(db);
  if (!schema || schema.version >= own.version) return true;
  if (schema.version >= own.readableFrom) return false;
  throw new AppError(
    "unavailable",
    `The processes of this database have schema version ${schema.version} and cannot read what this command would write (version ` +
      `${own.version}). Nothing was changed. Upgrade the API and the workers first, or use the command line of their version.`,
  );
}

/** The same as rejectNewerSchema, and records that this version writes here from now on. */
export async function adoptSchema(db: Db): Promise<void> {
  const schema = await readSchema(db);
  if (schema && schema.version >= SCHEMA_VERSION && schema.readableFrom >= READABLE_FROM) return;
  const newest = { version: SCHEMA_VERSION, readableFrom: READABLE_FROM };
  await db.collection<SchemaDoc>("meta").updateOne({ _id: "schema" }, { $max: newest }, { upsert: true });
}

async function readSchema(db: Db): Promise<SchemaDoc | null> {
  const schema = await db.collection<SchemaDoc>("meta").findOne({ _id: "schema" }, MAJORITY);
  if (!schema || schema.readableFrom <= SCHEMA_VERSION) return schema;
  throw new AppError(
    "unavailable",
    `The database holds documents of version ${schema.version}; this Clan XP reads up to version ${SCHEMA_VERSION}. ` +
      "Start the newer Clan XP again, or restore the backup from before the upgrade.",
  );
}
