// Starts tracing if the standard environment variables name a collector. Otherwise no part of OpenTelemetry is loaded.
import type { Tracing, TracingDeps } from "#telemetry/tracing/tracing.ts";

/** Null if the environment enables no traces. */
export async function startTracing(deps: TracingDeps): Promise<Tracing | null> {
  if (!isEnabled(deps.env)) return null;
  const { makeTracing } = await import("#telemetry/tracing/open-telemetry.ts");
  return makeTracing(deps);
}

function isEnabled(env: TracingDeps["env"]): boolean {
  if (env["OTEL_SDK_DISABLED"]?.toLowerCase() === "true" || env["OTEL_TRACES_EXPORTER"] === "none") return false;
  return Boolean(env["OTEL_EXPORTER_OTLP_TRACES_ENDPOINT"] || env["OTEL_EXPORTER_OTLP_ENDPOINT"]);
}
