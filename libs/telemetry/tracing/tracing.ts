// The tracing interface for the rest of a process.
import type { IncomingHttpHeaders } from "node:http";
import type { BullMQOtel } from "bullmq-otel";
import type { Tracer } from "#ledger/ports.ts";
import type { Log } from "#kernel/log.ts";

export type Tracing = {
  tracer: Tracer & RequestTracer;
  /** Propagates the trace with BullMQ's jobs. */
  jobs: BullMQOtel;
  /** The trace of the caller's current step, for log lines. */
  traceId(): string | undefined;
  /** Receives the error when traces cannot be exported. */
  logTo(log: Log): void;
  /** Sends the remaining spans, in bounded time; never throws. */
  close(): Promise<void>;
};

/** Reported of a request once it is answered; `route` is null if it matched no endpoint. */
export type AnsweredRequest = { requestId: string; route: string | null; status: number };

/** A request in progress. */
export type RequestTrace = { answered(request: AnsweredRequest): void };
export type RequestTracer = {
  /** Runs `serve` as a step of the trace that the headers name, or of a new one. */
  request(
    request: { method: string; headers: IncomingHttpHeaders },
    serve: (trace: RequestTrace) => Promise<void>,
  ): Promise<void>;
};

export type TracingDeps = {
  env: Readonly<Record<string, string | undefined>>;
  /** The service's name if the environment sets none. */
  name: string;
  version: string;
};
