// The connection to MongoDB. It is opened in the background and stays open, so that a process can start and report its
// state while MongoDB is unavailable.
import { createConnection, mongo, type ConnectOptions, type Connection } from "mongoose";
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
  connection: Connection;
  /** All of this service. */
  collections: readonly DeclaredCollection[];
  /** Options of the URL that are ignored. */
  ignoredOptions: readonly string[];
  /**
   * The driver's own database, for the hot path: hydrating documents would cost more than a whole commit. Throws
   * `unavailable` before `ready`: no award is written before the schema was checked and the unique indexes exist.
   */
  db(): mongo.Db;
  /**
   * Resolves once MongoDB was reached and its collections and indexes exist. Tries until it is closed; rejects if the
   * documents belong to a newer version, or an index cannot be built.
   */
  ready: Promise<void>;
  /**
   * Returns MongoDB's time. Throws before `ready`, and if MongoDB does not respond as the primary of a replica set.
   */
  ping(): Promise<Date>;
  /** How often the connections to a server were lost, since the first was opened. */
  interruptions(): number;
  close(): Promise<void>;
};

type Opening = { url: string; log: Log; name: string; collections: readonly DeclaredCollection[] };

/** Opens the database that `url` names (without a name: clanxp). Returns immediately. */
export function openDatabase({ url: given, log, name, collections }: Opening): Database {
  const { url, ignored } = ownUrl(given);
  if (ignored.length > 0) log.warn({ options: ignored }, "mongo.url_options_ignored");
  const connection = createConnection();
  // The driver reconnects; its error events repeat the errors of the failing operations.
  connection.on("error", (error: unknown) => log.debug({ err: error }, "mongo.error"));
  const abort = new AbortController();
  let prepared: mongo.Db | null = null;
  let interruptions = 0;
  const onInterruption = (): void => void (interruptions += 1);

  async function connect(): Promise<void> {
    for (let tries = 1; !abort.signal.aborted; tries += 1) {
      try {
        // Only once: a connected client reconnects by itself. A second one would take sessions from one client and
        // commands to the other.
        if (!connection.db) await openClient(connection, { url, options: optionsFor(url, name), onInterruption });
        const db = dbOf(connection);
        await bounded(prepare(db, collections));
        prepared = db;
        return;
      } catch (error) {
        // Trying again would not make documents of a newer version readable, or let an index be built. An AppError with
        // a cause is a failure of MongoDB.
        if (error instanceof AppError && error.cause === undefined) throw error;
        const event = connection.db && !isUnreachable(error) ? "mongo.not_prepared" : "mongo.unreachable";
        if (tries % 10 === 1) log.warn({ err: error, tries }, event);
        await pause(RECONNECT_PAUSE_MS, abort.signal);
      }
    }
  }

  return {
    ...handlesOf(connection, () => prepared),
    collections,
    ignoredOptions: ignored,
    ready: connect(),
    interruptions: () => interruptions,
    async close() {
      abort.abort();
      await connection.close();
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
  const connection = createConnection();
  connection.on("error", (error: unknown) => deps.log.debug({ err: error }, "mongo.error"));
  let interruptions = 0;
  try {
    const options = {
      ...optionsFor(url, deps.name),
      serverSelectionTimeoutMS: deps.withinMs,
      connectTimeoutMS: deps.withinMs,
      waitQueueTimeoutMS: Math.max(POOL_WAIT_MS, deps.withinMs),
    };
    await openClient(connection, { url, options, onInterruption: () => void (interruptions += 1) });
    const db = dbOf(connection);
    if (!deps.prepare) await rejectNewerSchema(db);
    else if (await mayPrepare(db)) await prepare(db, deps.collections);
    const handles = handlesOf(connection, () => db);
    return {
      ...handles,
      collections: deps.collections,
      ignoredOptions: ignored,
      ready: Promise.resolve(),
      interruptions: () => interruptions,
      close: () => connection.close(),
    };
  } catch (error) {
    await connection.close();
    // An AppError without a cause is no failure of MongoDB: what it names has to be done first.
    if (error instanceof AppError && error.cause === undefined) throw error;
    throw new AppError("unavailable", "MongoDB cannot be reached.", { cause: error });
  }
}

async function openClient(
  connection: Connection,
  { url, options, onInterruption }: { url: string; options: ConnectOptions; onInterruption: () => void },
): Promise<void> {
  await connection.openUri(url, options);
  connection.getClient().on("connectionPoolCleared", onInterruption);
  // An error of a server that steps down or ends has the version of its topology, in which `useBigInt64` makes a bigint
  // of the counter. The driver's monitor sends it back to the server and cannot: it throws where nobody catches, which
  // ends the process (the fix of NODE-6165 covers the comparison of versions alone).
  connection.getClient().on("serverDescriptionChanged", ({ newDescription: { topologyVersion } }) => {
    const counter: unknown = topologyVersion?.counter;
    if (topologyVersion && typeof counter === "bigint") topologyVersion.counter = mongo.BSON.Long.fromBigInt(counter);
  });
}

function handlesOf(
  connection: Connection,
  prepared: () => mongo.Db | null,
): Pick<Database, "connection" | "db" | "ping"> {
  return {
    connection,
    db() {
      const found = prepared();
      if (found) return found;
      throw new AppError("unavailable", "The database is not ready yet. Nothing was changed: try again shortly.");
    },
    async ping() {
      const found = prepared();
      if (!found) throw new Error(connection.db ? "its indexes do not exist yet" : "not connected yet");
      // The driver has no deadline for an operation; a server that does not respond would block this one for long.
      const signal = AbortSignal.timeout(PING_MS);
      const hello = await found.command({ hello: 1 }, { signal }).catch((cause: unknown) => {
        throw signal.aborted ? new Error(`no answer within ${PING_MS} ms`, { cause }) : cause;
      });
      const fault = findReplicaSetFault(hello);
      if (fault) throw new Error(`${fault.detail}. ${fault.fix}`);
      return new Date(Number(hello.localTime));
    },
  };
}

function dbOf(connection: Connection): mongo.Db {
  if (connection.db) return connection.db;
  throw new Error("not connected yet");
}

function optionsFor(url: string, name: string) {
  return {
    dbName: databaseName(url),
    appName: name,
    autoIndex: false,
    autoCreate: false,
    bufferCommands: false,
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

async function prepare(db: mongo.Db, collections: readonly DeclaredCollection[]): Promise<void> {
  await rejectNewerSchema(db);
  await prepareCollections(db, collections);
  // Last: if an index cannot be built, the previous version can still be started.
  await adoptSchema(db);
}
