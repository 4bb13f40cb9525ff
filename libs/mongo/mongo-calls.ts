// Calls to MongoDB: each call ends in bounded time, and its error reports what is known of its effect.
import type { AbstractCursor } from "mongodb";
import { AppError } from "#kernel/app-error.ts";
import { withTimeout } from "#async/with-timeout.ts";
import { ANSWER_MS_MAX, LOST_MS } from "#mongo/bounds.ts";
import { isDuplicateKey, isCodeError, isNoReplicaSet, wasSent } from "#mongo/mongo-errors.ts";
import { STANDALONE } from "#mongo/replica-set.ts";

/** For a read of what no failover can undo. */
export const MAJORITY = { readConcern: { level: "majority" } } as const;

/** For a command that writes: the connection adds it only to other statements. */
export const DURABLE = { writeConcern: { w: "majority", j: true } } as const;

/** For a transaction. */
export const TRANSACTION = { readConcern: { level: "snapshot" }, ...DURABLE } as const;

/** Runs a read for a waiting caller. Throws AppError `unavailable`, also if MongoDB does not respond. */
export function read<T>(operation: () => Promise<T>): Promise<T> {
  const late = () =>
    new AppError("unavailable", "The database does not respond. Nothing was changed: try again shortly.");
  return withTimeout(orUnavailable(operation), ANSWER_MS_MAX, late);
}

/** Runs a write. Throws AppError `outcome_unknown` if it may have been made, otherwise as `orUnavailable`. */
export function write<T>(operation: () => Promise<T>): Promise<T> {
  return orUnavailable(async () => {
    try {
      return await withTimeout(operation(), LOST_MS, () => changeUnknown(noReply()));
    } catch (error) {
      throw wasSent(error) ? changeUnknown(error) : error;
    }
  });
}

/**
 * Runs a write that its caller repeats until it succeeds, so that an unknown effect is a failure like any other:
 * AppError `unavailable`.
 */
export function rewrite<T>(operation: () => Promise<T>): Promise<T> {
  return orUnavailable(() => bounded(operation()));
}

/** Each reply of MongoDB for as long as it has more, in bounded time. Throws AppError `unavailable`. */
export async function* groupsOf<Doc>(cursor: AbstractCursor<Doc>): AsyncGenerator<Doc[]> {
  try {
    while (await read(() => cursor.hasNext())) yield cursor.readBufferedDocuments();
  } finally {
    await cursor.close().catch(() => {});
  }
}

export function changeUnknown(cause: unknown): AppError {
  return new AppError("outcome_unknown", "It is not known whether the change was made. Check before you retry.", {
    cause,
  });
}

/**
 * Converts every failure of MongoDB to AppError `unavailable`; programming errors and duplicate keys are passed on.
 * Without a time limit: for streams, and for operations that have one.
 */
export async function orUnavailable<T>(operation: () => Promise<T>): Promise<T> {
  try {
    return await operation();
  } catch (error) {
    // The driver also passes on errors of a socket or a stream unchanged.
    if (error instanceof AppError || isCodeError(error) || isDuplicateKey(error)) throw error;
    if (isNoReplicaSet(error))
      throw new AppError("unavailable", `The database is ${STANDALONE.detail}. Nothing was changed. ${STANDALONE.fix}`);
    throw new AppError("unavailable", "The database cannot be reached. Nothing was changed: try again shortly.", {
      cause: error,
    });
  }
}

/**
 * Rejects if the operation does not end. The driver waits forever on a connection that is closed while a command is
 * written to it (mongodb 7.8), and everything that waits with it is lost for as long as the process lives.
 */
export function bounded<T>(operation: Promise<T>): Promise<T> {
  return withTimeout(operation, LOST_MS, noReply);
}

function noReply(): Error {
  return new Error(`MongoDB has not answered for ${LOST_MS / 1_000} s`);
}
