// Classifies errors of MongoDB, by the driver's labels and codes, never by texts.
import { BSON, MongoError, MongoServerError, MongoWriteConcernError } from "mongodb";
import { AppError } from "#kernel/app-error.ts";

export const DUPLICATE_KEY = 11000;
const WRITE_CONFLICT = 112;
const TIME_EXCEEDED = 50;
/**
 * Errors of createIndexes that return however often it is sent: the index, its options or its name contradict an
 * existing one, or documents do not fit it.
 */
const INDEX_CONFLICT_CODES: ReadonlySet<unknown> = new Set([67, 68, 85, 86, 171, 197, DUPLICATE_KEY, 16766]);
const UNAUTHORIZED = 13;
const NO_COLLECTION = 26;
const COLLECTION_EXISTS = 48;
/** What a standalone server answers to a transaction. */
const ILLEGAL_OPERATION = 20;
/** Too large, not valid, bad value: the same document fails again however often it is sent. */
const REJECTED_CODES: ReadonlySet<unknown> = new Set([2, 9, 22, 121, 10334, 17280, 17419, 17420]);

/** Rejected before it began: this server is not the primary. */
const NOT_PRIMARY_CODES: ReadonlySet<unknown> = new Set([10107, 13435, 10058]);
/**
 * Interrupted by a shutdown, a step-down, a time limit, a kill, or a lost connection between a router and a shard: the
 * response does not say what was done by then.
 */
const INTERRUPTED_CODES: ReadonlySet<unknown> = new Set([
  6, 7, 24, 50, 89, 91, 189, 202, 237, 262, 279, 290, 355, 384, 9001, 11600, 11601, 11602, 46841, 46842,
]);
/** The driver found no server or no connection. */
const NEVER_SENT: ReadonlySet<string> = new Set([
  "MongoServerSelectionError",
  "MongoPoolClearedError",
  "MongoPoolClosedError",
  "MongoWaitQueueTimeoutError",
  "MongoTopologyClosedError",
  "MongoNotConnectedError",
]);

/** The operation was ended at its `maxTimeMS`. */
export function isTimeExceeded(error: unknown): boolean {
  return error instanceof MongoServerError && error.code === TIME_EXCEEDED;
}

export function isDuplicateKey(error: unknown): boolean {
  return error instanceof MongoServerError && error.code === DUPLICATE_KEY;
}

export function isIndexConflict(error: unknown): boolean {
  return error instanceof MongoServerError && INDEX_CONFLICT_CODES.has(error.code);
}

/** MongoDB did not respond, or there was no connection to it: what was asked of it does not matter. */
export function isUnreachable(error: unknown): boolean {
  const cause = error instanceof AppError ? error.cause : error;
  return cause instanceof MongoError && (NEVER_SENT.has(cause.name) || cause.name.startsWith("MongoNetwork"));
}

/** The database user has no right to do it. */
export function isNotAuthorized(error: unknown): boolean {
  return error instanceof MongoServerError && error.code === UNAUTHORIZED;
}

/** The collection does not exist. */
export function isNoCollection(error: unknown): boolean {
  return error instanceof MongoServerError && error.code === NO_COLLECTION;
}

/** The collection that was to be created exists. */
export function isExistingCollection(error: unknown): boolean {
  return error instanceof MongoServerError && error.code === COLLECTION_EXISTS;
}

/** The server cannot run transactions, because it is not part of a replica set. */
export function isNoReplicaSet(error: unknown): boolean {
  if (!(error instanceof MongoServerError)) return false;
  // The driver replaces the error by its own, which advises to change options of the URL.
  const { code } = error["originalError"] instanceof MongoServerError ? error["originalError"] : error;
  return code === ILLEGAL_OPERATION;
}

/** Another transaction, or a single write, is changing the same document. */
export function isWriteConflict(error: unknown): boolean {
  return error instanceof MongoServerError && error.code === WRITE_CONFLICT;
}

function hasLabel(error: unknown, label: string): boolean {
  return error instanceof MongoError && error.hasErrorLabel(label);
}

/** A bug here, or a document that cannot be encoded or decoded: retrying cannot help. */
export function isCodeError(error: unknown): boolean {
  return (
    error instanceof TypeError ||
    error instanceof RangeError ||
    error instanceof ReferenceError ||
    error instanceof SyntaxError ||
    error instanceof BSON.BSONError
  );
}

/** The driver could not encode it: too large, or not encodable. */
function isAlwaysRejected(error: unknown): boolean {
  return isCodeError(error) || (error instanceof MongoError && error.name === "MongoInvalidArgumentError");
}

/**
 * Classifies an error that MongoDB returned for one document of an ordered insert. With `conflict` and `rejected`, it
 * wrote neither that document nor any after it. Every other code may come from a router that lost the response of a
 * shard which wrote the document.
 */
export function failureOfDocument(code: unknown): "conflict" | "rejected" | "unknown" {
  if (code === DUPLICATE_KEY || code === WRITE_CONFLICT) return "conflict";
  return REJECTED_CODES.has(code) ? "rejected" : "unknown";
}

/** Classifies the failure of a whole insert: only with `unknown` may any of it have been written. */
export function failureOfInsert(error: unknown): "rejected" | "unavailable" | "unknown" {
  if (isAlwaysRejected(error)) return "rejected";
  if (error instanceof MongoServerError && REJECTED_CODES.has(error.code)) return "rejected";
  // Abandoned without a reply (mongo-calls.ts): it is not known whether it was sent.
  if (!(error instanceof MongoError) && !(error instanceof AppError)) return "unknown";
  return wasSent(error) ? "unknown" : "unavailable";
}

/** True if a single write failed after it may have reached the server, so that its effect is not known. */
export function wasSent(error: unknown): boolean {
  // Written, but it is not known whether a majority has stored it: an election may roll it back.
  if (error instanceof MongoWriteConcernError) return true;
  if (error instanceof MongoServerError && INTERRUPTED_CODES.has(error.code)) return true;
  if (error instanceof MongoServerError)
    return hasLabel(error, "RetryableWriteError") && !NOT_PRIMARY_CODES.has(error.code);
  return error instanceof MongoError && !NEVER_SENT.has(error.name);
}

/** SnapshotTooOld, SnapshotUnavailable, and what interrupts every read: a primary that steps down or is killed. */
const SNAPSHOT_EXPIRED_CODES: ReadonlySet<unknown> = new Set([239, 246, 189, 91, 11600, 11602, 13388]);

/** The snapshot of a session is no longer available: begin again with a newer one. */
export function isSnapshotExpired(error: unknown): boolean {
  return error instanceof MongoServerError && SNAPSHOT_EXPIRED_CODES.has(error.code);
}
