// Traces for OpenTelemetry, when the standard environment names a place to send them to. Otherwise nothing of it is even loaded.
import type { IncomingHttpHeaders } from "node:http";
import type { Tracing as Loaded } from "#runtime/tracing/open-telemetry.ts";

export type Tracing = Loaded;

/** What is told of a request once it is answered; `route` is null where no endpoint was meant. */
export type AnsweredRequest = { requestId: string; route: string | null; status: number };

/** A request under way. */
export type RequestTrace = { answered(request: AnsweredRequest): void };
export type RequestTracer = {
  /** Runs `serve` as a step of the trace that the headers name, or of a new one. */
  request(request: { method: string; headers: IncomingHttpHeaders }, serve: (trace: RequestTrace) => Promise<void>): Promise<void>;
};

export type TracingWorld = {
  env: Readonly<Record<string, string | undefined>>;
  /** The service's name where the environment gives none. */
  name: string;
  version: string;
};

/** Null where the environment asks for no traces. */
export async function startTracing(world: TracingWorld): Promise<Tracing | null> {
  if (!isWanted(world.env)) return null;
  const { makeTracing } = await import("#runtime/tracing/open-telemetry.ts");
  return makeTracing(world);
}

function isWanted(env: TracingWorld["env"]): boolean {
  if (env["OTEL_SDK_DISABLED"]?.toLowerCase() === "true" || env["OTEL_TRACES_EXPORTER"] === "none") return false;
  return Boolean(env["OTEL_EXPORTER_OTLP_TRACES_ENDPOINT"] || env["OTEL_EXPORTER_OTLP_ENDPOINT"]);
}
