// What an error of MongoDB means to us. Read from the driver's own labels and codes, never from texts.
import mongoose from "mongoose";
import { AppError } from "#domain/app-error.ts";
import { ANSWER_MS_MAX, LOST_MS } from "#store/bounds.ts";

const { MongoError, MongoServerError, MongoWriteConcernError } = mongoose.mongo;

const DUPLICATE_KEY = 11000;
const WRITE_CONFLICT = 112;
/** Too large, not valid, bad value: the same document fails again however often it is sent. */
const REFUSED_CODES: ReadonlySet<unknown> = new Set([2, 9, 22, 121, 10334, 17280, 17419, 17420]);

/** Refused before it was begun: this server is not the primary. */
const NOT_PRIMARY_CODES: ReadonlySet<unknown> = new Set([10107, 13435, 10058]);
/** Stopped while it was under way, by a shutdown, a step down, a time limit or a kill: what it had done by then is not returned. */
const INTERRUPTED_CODES: ReadonlySet<unknown> = new Set([24, 50, 91, 189, 237, 262, 279, 290, 355, 11600, 11601, 11602, 46841, 46842]);
/** The driver found no server or no connection to send anything on. */
const NEVER_SENT: ReadonlySet<string> = new Set([
  "MongoServerSelectionError",
  "MongoPoolClearedError",
  "MongoPoolClosedError",
  "MongoWaitQueueTimeoutError",
  "MongoTopologyClosedError",
  "MongoNotConnectedError",
]);

export function isDuplicateKey(error: unknown): boolean {
  return error instanceof MongoServerError && error.code === DUPLICATE_KEY;
}

/** Another transaction, or a single write, changes the same document now. */
export function isWriteConflict(error: unknown): boolean {
  return error instanceof MongoServerError && error.code === WRITE_CONFLICT;
}

function hasLabel(error: unknown, label: string): boolean {
  return error instanceof MongoError && error.hasErrorLabel(label);
}

/** Ours, or of what was to be sent or stands there: it fails again however often it is tried. */
function isMistake(error: unknown): boolean {
  return (
    error instanceof TypeError ||
    error instanceof RangeError ||
    error instanceof ReferenceError ||
    error instanceof SyntaxError ||
    error instanceof mongoose.mongo.BSON.BSONError
  );
}

/** The driver could not even write it down: too large, not encodable. */
function neverFits(error: unknown): boolean {
  return isMistake(error) || (error instanceof MongoError && error.name === "MongoInvalidArgumentError");
}

/** What an error means that MongoDB returned for one document of an insert: it did not write that one, nor any behind it. */
export function failureOfDocument(code: unknown): "conflict" | "refused" | "unavailable" {
  if (code === DUPLICATE_KEY || code === WRITE_CONFLICT) return "conflict";
  return REFUSED_CODES.has(code) ? "refused" : "unavailable";
}

/** What the failure of a whole insert means: only for `unknown` may any of it have been written. */
export function failureOfInsert(error: unknown): "refused" | "unavailable" | "unknown" {
  if (neverFits(error)) return "refused";
  if (error instanceof MongoServerError && REFUSED_CODES.has(error.code)) return "refused";
  // `settled` gave it up: nobody knows whether it was sent.
  if (!(error instanceof MongoError) && !(error instanceof AppError)) return "unknown";
  return wasSent(error) ? "unknown" : "unavailable";
}

/** True when a single write failed after it may have reached the server, so that nobody knows whether it happened. */
export function wasSent(error: unknown): boolean {
  // Written, but it is not known that a majority has it: an election may keep it or roll it back.
  if (error instanceof MongoWriteConcernError) return true;
  if (error instanceof MongoServerError && INTERRUPTED_CODES.has(error.code)) return true;
  if (error instanceof MongoServerError) return hasLabel(error, "RetryableWriteError") && !NOT_PRIMARY_CODES.has(error.code);
  return error instanceof MongoError && !NEVER_SENT.has(error.name);
}

/** SnapshotTooOld, SnapshotUnavailable, and what ends every read: a primary that steps down or is killed. */
const MOMENT_GONE_CODES: ReadonlySet<unknown> = new Set([239, 246, 189, 91, 11600, 11602, 13388]);

/** The moment that a snapshot session reads can be read no longer: begin again on a newer one. */
export function isMomentGone(error: unknown): boolean {
  return error instanceof MongoServerError && MOMENT_GONE_CODES.has(error.code);
}

/** Runs single writes. AppError `outcome_unknown` where nobody knows whether they happened, else as `orUnavailable`. */
export function orUnknown<T>(operation: () => Promise<T>): Promise<T> {
  return orUnavailable(async () => {
    try {
      return await operation();
    } catch (error) {
      throw wasSent(error) ? changeUnknown(error) : error;
    }
  });
}

export function changeUnknown(cause: unknown): AppError {
  return new AppError("outcome_unknown", "It is not known whether the change was made: look before you try again.", { cause });
}

/**
 * Runs a read, or a write that whoever asks repeats anyway. Whatever MongoDB could not do becomes AppError `unavailable`; our own
 * mistakes stay what they are.
 */
export async function orUnavailable<T>(operation: () => Promise<T>): Promise<T> {
  try {
    return await operation();
  } catch (error) {
    // The driver also passes on what a socket or a stream says, as it is.
    if (error instanceof AppError || isMistake(error) || isDuplicateKey(error)) throw error;
    throw new AppError("unavailable", "The database cannot be reached. Nothing was changed: try again shortly.", { cause: error });
  }
}

/** A read; `unavailable` too when MongoDB is silent. */
export function readInTime<T>(read: () => Promise<T>): Promise<T> {
  return inTime(
    orUnavailable(read),
    ANSWER_MS_MAX,
    () => new AppError("unavailable", "The database does not answer. Nothing was changed: try again shortly."),
  );
}

/**
 * What the operation gives. Throws when it does not end: the driver waits for ever on a connection that is closed while a command is
 * written on it (mongodb 7.8), and whatever waits with it is lost for as long as the process lives.
 */
export function settled<T>(operation: Promise<T>): Promise<T> {
  return inTime(operation, LOST_MS, () => new Error(`MongoDB has not answered for ${LOST_MS / 1_000} s`));
}

/** What the operation gives, or what is said of it when MongoDB is silent: the driver itself gives a socket up later than callers wait. */
export async function inTime<T>(operation: Promise<T>, ms: number, late: () => Error): Promise<T> {
  const silence = Promise.withResolvers<never>();
  const timer = setTimeout(() => silence.reject(late()), ms);
  try {
    return await Promise.race([operation, silence.promise]);
  } finally {
    clearTimeout(timer);
  }
}
