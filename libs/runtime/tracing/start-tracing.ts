// Starts traces where the standard environment names a place to send them to. Otherwise nothing of OpenTelemetry is
// even loaded.
import type { Tracing, TracingWorld } from "#runtime/tracing/tracing.ts";

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
