// The connection to MongoDB. It is opened in the background and stays open, so that a process can start and report its
// state while MongoDB is unavailable.
import { Long, MongoClient, type Db, type MongoClientOptions } from "mongodb";
import { pause } from "#async/pause.ts";
import { AppError } from "#kernel/app-error.ts";
import {
  CONNECT_MS,
  PING_MS,
  POOL_SIZE_MAX,
  POOL_WAIT_MS,
  RECONNECT_PAUSE_MS,
  SERVER_SELECTION_MS,
  SOCKET_SILENCE_MS,
} from "#mongo/bounds.ts";
import { bounded } from "#mongo/mongo-calls.ts";
import { isUnreachable } from "#mongo/mongo-errors.ts";
import type { DeclaredCollection } from "#mongo/collection.ts";
import { prepareCollections } from "#mongo/prepare-collections.ts";
import { databaseName, ownUrl } from "#mongo/mongo-url.ts";
import { findReplicaSetFault } from "#mongo/replica-set.ts";
import { adoptSchema, mayPrepare, rejectNewerSchema } from "#mongo/schema-version.ts";
import type { Log } from "#kernel/log.ts";

export type Database = {
  /** All of this service. */
  collections: readonly DeclaredCollection[];
  /** Options of the URL that are ignored. */
  ignoredOptions: readonly string[];
  /**
   * Throws `unavailable` before `ready`: nothing is written before the schema was checked and the unique indexes exist.
   */
  db(): Db;
  /**
   * Resolves once MongoDB was reached and its collections and indexes exist. Tries until it is closed; rejects if the
   * documents belong to a newer version, or an index cannot be built.
   */
  ready: Promise<void>;
  /**
   * Returns MongoDB's time. Throws before `ready`, and if MongoDB does not respond as the primary of a replica set.
   */
  ping(): Promise<Date>;
  /** How often the connections to a server were lost. */
  interruptions(): number;
  close(): Promise<void>;
};

type Opening = { url: string; log: Log; name: string; collections: readonly DeclaredCollection[] };

/** Opens the database that `url` names (without a name: clanxp). Returns immediately. */
export function openDatabase({ url: given, log, name, collections }: Opening): Database {
  const { url, ignored } = ownUrl(given);
  if (ignored.length > 0) log.warn({ options: ignored }, "mongo.url_options_ignored");
  const abort = new AbortController();
  let connected: Db | null = null;
  let prepared: Db | null = null;
  const { client, interruptions } = newClient(url, optionsFor(name));

  async function connect(): Promise<void> {
    for (let tries = 1; !abort.signal.aborted; tries += 1) {
      try {
        // Only once: a connected client reconnects by itself.
        connected ??= (await client.connect()).db(databaseName(url));
        // It was closed before it had connected.
        if (abort.signal.aborted) return await client.close();
        await bounded(prepare(connected, collections));
        prepared = connected;
        return;
      } catch (error) {
        // Trying again would not make documents of a newer version readable, or let an index be built. An AppError with
        // a cause is a failure of MongoDB.
        if (error instanceof AppError && error.cause === undefined) throw error;
        const event = connected && !isUnreachable(error) ? "mongo.not_prepared" : "mongo.unreachable";
        if (tries % 10 === 1) log.warn({ err: error, tries }, event);
        await pause(RECONNECT_PAUSE_MS, abort.signal);
      }
    }
  }

  return {
    db: () => readyDb(prepared),
    async ping() {
      if (!prepared) throw new Error(connected ? "its indexes do not exist yet" : "not connected yet");
      return timeOf(prepared);
    },
    collections,
    ignoredOptions: ignored,
    ready: connect(),
    interruptions,
    async close() {
      abort.abort();
      await client.close();
    },
  };
}

/**
 * For a process with a single task: opens the database now, or throws AppError `unavailable` after `withinMs`. Without
 * `prepare` nothing is created, so that missing indexes are visible. With it, nothing is created either if processes of
 * an older version serve the database: they could not restart.
 */
export async function reachDatabase(deps: Opening & { withinMs: number; prepare: boolean }): Promise<Database> {
  const { url, ignored } = ownUrl(deps.url);
  const options = {
    ...optionsFor(deps.name),
    serverSelectionTimeoutMS: deps.withinMs,
    connectTimeoutMS: deps.withinMs,
    waitQueueTimeoutMS: Math.max(POOL_WAIT_MS, deps.withinMs),
  };
  const { client, interruptions } = newClient(url, options);
  try {
    const db = (await client.connect()).db(databaseName(url));
    if (!deps.prepare) await rejectNewerSchema(db);
    else if (await mayPrepare(db)) await prepare(db, deps.collections);
    return {
      db: () => db,
      ping: () => timeOf(db),
      collections: deps.collections,
      ignoredOptions: ignored,
      ready: Promise.resolve(),
      interruptions,
      close: () => client.close(),
    };
  } catch (error) {
    await client.close();
    // An AppError without a cause is no failure of MongoDB: what it names has to be done first.
    if (error instanceof AppError && error.cause === undefined) throw error;
    throw new AppError("unavailable", "MongoDB cannot be reached.", { cause: error });
  }
}

/** It is not connected yet. */
function newClient(
  url: string,
  options: MongoClientOptions,
): { client: MongoClient } & Pick<Database, "interruptions"> {
  const client = new MongoClient(url, options);
  let interruptions = 0;
  client.on("connectionPoolCleared", () => void (interruptions += 1));
  // An error of a server that steps down or ends has the version of its topology, in which `useBigInt64` makes a bigint
  // of the counter. The driver's monitor sends it back to the server and cannot: it throws where nobody catches, which
  // ends the process (the fix of NODE-6165 covers the comparison of versions alone).
  client.on("serverDescriptionChanged", ({ newDescription: { topologyVersion } }) => {
    const counter: unknown = topologyVersion?.counter;
    if (topologyVersion && typeof counter === "bigint") topologyVersion.counter = Long.fromBigInt(counter);
  });
  return { client, interruptions: () => interruptions };
}

function readyDb(prepared: Db | null): Db {
  if (prepared) return prepared;
  throw new AppError("unavailable", "The database is not ready yet. Nothing was changed: try again shortly.");
}

async function timeOf(db: Db): Promise<Date> {
  // The driver has no deadline for an operation; a server that does not respond would block this one for long.
  const signal = AbortSignal.timeout(PING_MS);
  const hello = await db.command({ hello: 1 }, { signal }).catch((cause: unknown) => {
    throw signal.aborted ? new Error(`no answer within ${PING_MS} ms`, { cause }) : cause;
  });
  const fault = findReplicaSetFault(hello);
  if (fault) throw new Error(`${fault.detail}. ${fault.fix}`);
  return new Date(Number(hello["localTime"]));
}

function optionsFor(name: string) {
  return {
    appName: name,
    useBigInt64: true,
    // A write is sent once, so a failure shows whether it was sent at all. The caller decides whether to send it again.
    retryWrites: false,
    writeConcern: { w: "majority", journal: true },
    serverSelectionTimeoutMS: SERVER_SELECTION_MS,
    socketTimeoutMS: SOCKET_SILENCE_MS,
    connectTimeoutMS: CONNECT_MS,
    maxPoolSize: POOL_SIZE_MAX,
    waitQueueTimeoutMS: POOL_WAIT_MS,
  } as const;
}

async function prepare(db: Db, collections: readonly DeclaredCollection[]): Promise<void> {
  await rejectNewerSchema(db);
  await prepareCollections(db, collections);
  // Last: if an index cannot be built, the previous version can still be started.
  await adoptSchema(db);
}
