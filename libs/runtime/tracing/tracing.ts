// Traces as the rest of a process sees them.
import type { IncomingHttpHeaders } from "node:http";
import type { BullMQOtel } from "bullmq-otel";
import type { Log, Tracer } from "#usecases/ports.ts";

export type Tracing = {
  tracer: Tracer & RequestTracer;
  /** Carries the trace along with BullMQ's jobs. */
  jobs: BullMQOtel;
  /** Of the step that the caller is in, for log lines. */
  traceId(): string | undefined;
  /** Where it is told that traces do not arrive. */
  logTo(log: Log): void;
  /** Sends what is left, in bounded time; never throws. */
  close(): Promise<void>;
};

/** What is told of a request once it is answered; `route` is null where no endpoint was meant. */
export type AnsweredRequest = { requestId: string; route: string | null; status: number };

/** A request under way. */
export type RequestTrace = { answered(request: AnsweredRequest): void };
export type RequestTracer = {
  /** Runs `serve` as a step of the trace that the headers name, or of a new one. */
  request(
    request: { method: string; headers: IncomingHttpHeaders },
    serve: (trace: RequestTrace) => Promise<void>,
  ): Promise<void>;
};

export type TracingWorld = {
  env: Readonly<Record<string, string | undefined>>;
  /** The service's name where the environment gives none. */
  name: string;
  version: string;
};
