// Starts tracing if the standard environment variables name a collector. Otherwise no part of OpenTelemetry is loaded.
import type { Tracing, TracingWorld } from "#runtime/tracing/tracing.ts";

/** Null if the environment enables no traces. */
export async function startTracing(world: TracingWorld): Promise<Tracing | null> {
  if (!isEnabled(world.env)) return null;
  const { makeTracing } = await import("#runtime/tracing/open-telemetry.ts");
  return makeTracing(world);
}

function isEnabled(env: TracingWorld["env"]): boolean {
  if (env["OTEL_SDK_DISABLED"]?.toLowerCase() === "true" || env["OTEL_TRACES_EXPORTER"] === "none") return false;
  return Boolean(env["OTEL_EXPORTER_OTLP_TRACES_ENDPOINT"] || env["OTEL_EXPORTER_OTLP_ENDPOINT"]);
}
