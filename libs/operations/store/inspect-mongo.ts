// Reads the state of MongoDB for the doctor. Changes nothing: the majority is checked with a write that matches no
// document.
import type { Db } from "mongodb";
import { clockDifference } from "#async/clock-difference.ts";
import { MAJORITY_PROBE_MS, REPEATED_KEYS_MAX, REPEATED_KEYS_MS_MAX } from "#mongo/bounds.ts";
import { makeBatchStore } from "#batches/store/batch-store.ts";
import type { DeclaredCollection } from "#mongo/collection.ts";
import type { Database } from "#mongo/database.ts";
import { makeContinuityStore } from "#operations/store/continuity-store.ts";
import { inspectDestinations } from "#operations/store/inspect-destinations.ts";
import { existingIndexes, hasDuplicates, indexesInTheWay, isAsDeclared } from "#mongo/index-conflicts.ts";
import { findReplicaSetFault, isRouter, replicaSetIn } from "#mongo/replica-set.ts";
import { readShardKeys } from "#operations/store/read-shard-keys.ts";
import { findRepeatedKeys } from "#operations/store/repeated-keys.ts";
import type { ClanDoc } from "#clans/store/clan-model.ts";
import type { Clock } from "#kernel/clock.ts";
import type { IndexFacts, MongoFacts } from "#operations/ports.ts";

/** Throws if MongoDB does not respond. */
export async function inspectMongo(database: Database, clock: Clock): Promise<MongoFacts> {
  const admin = database.db().admin();
  const sentMs = clock.now().getTime();
  const hello = await admin.command({ hello: 1 });
  const answeredMs = clock.now().getTime();
  const otherMs = hello["localTime"] instanceof Date ? hello["localTime"].getTime() : sentMs;
  const { version } = await admin.buildInfo();
  return {
    version: String(version),
    replicaSet: replicaSetIn(hello),
    replicaSetFault: findReplicaSetFault(hello),
    shardKeys: isRouter(hello) ? await shardKeys(database) : null,
    ignoredOptions: database.ignoredOptions,
    majorityFault: await majorityFault(database),
    transactionLifetimeS: await transactionLifetimeS(database),
    indexes: await Promise.all(database.collections.map((declared) => indexFacts(database.db(), declared))),
    repeatedKeys: await findRepeatedKeys(database, {
      clanId: null,
      limit: REPEATED_KEYS_MAX,
      maxTimeMS: REPEATED_KEYS_MS_MAX,
    }).catch(() => null),
    aheadMs: clockDifference({ otherMs, sentMs, answeredMs }),
    backlog: await makeBatchStore(database).backlog(),
    sessionsOutliveRestore: await makeContinuityStore(database).sessionsOutliveRestore(),
    destinations: await inspectDestinations(database),
  };
}

async function majorityFault(database: Database): Promise<string | null> {
  try {
    const writeConcern = { w: "majority", journal: true, wtimeoutMS: MAJORITY_PROBE_MS } as const;
    await database
      .db()
      .collection<ClanDoc>("clans")
      .updateOne({ _id: "" }, { $set: { name: "" } }, { writeConcern });
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

async function shardKeys({ db }: Database): Promise<MongoFacts["shardKeys"]> {
  try {
    return await readShardKeys(db().client, db().databaseName);
  } catch {
    return "unreported"; // the user lacks the right
  }
}

async function transactionLifetimeS(database: Database): Promise<number | null> {
  try {
    const parameter = await database.db().admin().command({ getParameter: 1, transactionLifetimeLimitSeconds: 1 });
    return Number(parameter["transactionLifetimeLimitSeconds"]);
  } catch {
    return null; // the user lacks the right
  }
}

/**
 * With this index an administrator lets MongoDB delete old audit records
 * (docs/how-to/database-users.md#delete-old-audit-records).
 */
const AUDIT_RETENTION = "retention";

async function indexFacts(db: Db, { name, indexes }: DeclaredCollection): Promise<IndexFacts> {
  const collection = db.collection(name);
  const existing = await existingIndexes(collection);
  const missing = await Promise.all(
    indexes
      .filter((index) => !existing.some((other) => other.name === index.name && isAsDeclared(other, index)))
      .map(async (index) => ({
        fields: Object.keys(index.key).join(" + "),
        inTheWay: indexesInTheWay(index, existing),
        hasDuplicates: await hasDuplicates(collection, index),
      })),
  );
  const inTheWay = new Set(missing.flatMap((index) => index.inTheWay));
  const unexpected = existing
    .filter((other) => !indexes.some((index) => isAsDeclared(other, index)))
    .flatMap((other) => other.name ?? [])
    .filter((other) => other !== "_id_" && !inTheWay.has(other) && (name !== "audit" || other !== AUDIT_RETENTION));
  return { collection: name, missing, unexpected };
}
