// The log of a process: events with fields, one JSON line each, in a readable form on a terminal. Secrets are removed
// by path.
import { pino, type Logger } from "pino";
import pretty from "pino-pretty";
import { withoutCredentials } from "#process/credentials.ts";

const REDACTED = [
  "secret",
  "*.secret",
  "authorization",
  "*.authorization",
  "headers.authorization",
  'headers["api-key"]',
  "keyText",
  "*.keyText",
];

/** One line for each event, except for an error with its stack. */
const ON_TERMINAL = {
  colorize: true,
  ignore: "pid,hostname",
  translateTime: "HH:MM:ss.l",
  singleLine: true,
  sync: true,
};

export type LogDeps = {
  name: string;
  level: string;
  /** The trace to which a line belongs, while tracing is on. */ traceId?: (() => string | undefined) | undefined;
};

export function makeLog({ name, level, traceId }: LogDeps): Logger {
  const options = {
    name,
    level,
    base: { name, pid: process.pid },
    redact: REDACTED,
    // A text is the name of an error, such as that of an attempt.
    serializers: {
      err: errorFacts,
      error: (error: unknown) => (typeof error === "string" ? error : errorFacts(error)),
    },
    ...(traceId ? { mixin: () => ({ traceId: traceId() }) } : {}),
  };
  return process.stdout.isTTY
    ? pino(options, pretty(ON_TERMINAL))
    : pino(options, pino.destination({ fd: 1, sync: true }));
}

/**
 * The part of a document that MongoDB quotes: the platform ID and the idempotency key of an award that conflicted with
 * a newer entry.
 */
const DUPLICATE_KEY = /(dup key: ).*/g;

function safe(text: string): string {
  return withoutCredentials(text).replace(DUPLICATE_KEY, "$1(removed)");
}

type ErrorFacts = { type: string; message: string; code?: unknown; stack?: string | undefined; cause?: ErrorFacts };

/** An error in the log: with its causes, without the connection strings and keys of documents that drivers include. */
function errorFacts(error: unknown, depth = 0): ErrorFacts {
  if (!(error instanceof Error)) return { type: typeof error, message: safe(String(error)) };
  return {
    type: error.name,
    message: safe(error.message),
    ...("code" in error ? { code: error.code } : {}),
    ...(depth === 0 ? { stack: error.stack && safe(error.stack) } : {}),
    ...(error.cause !== undefined && depth < 4 ? { cause: errorFacts(error.cause, depth + 1) } : {}),
  };
}
