// The tracer, based on OpenTelemetry's SDK: requests, commit groups, commits and jobs become spans. Only
// start-tracing.ts loads it, and only if traces are enabled.
//
// A commit group has awards of many requests: its span is a child of the first request's span and has links to all of
// them.
import {
  context,
  diag,
  DiagLogLevel,
  propagation,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
  type Span,
} from "@opentelemetry/api";
import { AsyncLocalStorageContextManager } from "@opentelemetry/context-async-hooks";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-proto";
import {
  detectResources,
  resourceAttributesEnvDetector,
  resourceFromAttributes,
  serviceNameEnvDetector,
} from "@opentelemetry/resources";
import { BatchSpanProcessor, TracerProvider } from "@opentelemetry/sdk-trace";
import { BullMQOtel } from "bullmq-otel";
import { withTimeout } from "#async/with-timeout.ts";
import { samplerOf } from "#telemetry/tracing/sampler.ts";
import { traceContext } from "#telemetry/tracing/trace-context.ts";
import type { RequestTracer, Tracing, TracingDeps } from "#telemetry/tracing/tracing.ts";
import type { Tracer } from "#ledger/ports.ts";

/** Time for the last spans at shutdown: a process has 8 s for everything. */
const FLUSH_MS_MAX = 1_500;

export function makeTracing({ env, name, version }: TracingDeps): Tracing {
  context.setGlobalContextManager(new AsyncLocalStorageContextManager());
  propagation.setGlobalPropagator(traceContext);
  const named = resourceFromAttributes({ "service.name": name, "service.version": version });
  const provider = new TracerProvider({
    // OTEL_SERVICE_NAME takes precedence over OTEL_RESOURCE_ATTRIBUTES.
    resource: named.merge(detectResources({ detectors: [resourceAttributesEnvDetector, serviceNameEnvDetector] })),
    sampler: samplerOf(env),
    // It reads OTEL_EXPORTER_OTLP_* itself.
    spanProcessors: [new BatchSpanProcessor({ exporter: new OTLPTraceExporter(), ...pace(env) })],
  });
  trace.setGlobalTracerProvider(provider);

  return {
    tracer: makeTracer(),
    jobs: new BullMQOtel({ tracerName: "clanxp" }),
    traceId: () => trace.getActiveSpan()?.spanContext().traceId,
    logTo(log) {
      const logFailure = (message: string, ...details: unknown[]): void =>
        log.debug({ message, details }, "traces.failed");
      diag.setLogger({ error: logFailure, warn: logFailure, info() {}, debug() {}, verbose() {} }, DiagLogLevel.WARN);
    },
    async close() {
      // Spans that the collector does not accept in time are dropped.
      await withTimeout(provider.shutdown(), FLUSH_MS_MAX, "spans not sent").catch(() => {});
    },
  };
}

/** How spans are buffered before they are sent, from the environment (OTEL_BSP_*). */
function pace(env: TracingDeps["env"]) {
  const set = (option: string, name: string) => (Number(env[name]) > 0 ? { [option]: Number(env[name]) } : {});
  return {
    ...set("scheduledDelayMillis", "OTEL_BSP_SCHEDULE_DELAY"),
    ...set("maxQueueSize", "OTEL_BSP_MAX_QUEUE_SIZE"),
    ...set("maxExportBatchSize", "OTEL_BSP_MAX_EXPORT_BATCH_SIZE"),
    ...set("exportTimeoutMillis", "OTEL_BSP_EXPORT_TIMEOUT"),
  };
}

function makeTracer(): Tracer & RequestTracer {
  const tracer = trace.getTracer("clanxp");

  /** Ends the span with the work, as failed when that throws. */
  async function during<T>(span: Span, parent = context.active(), work: () => Promise<T>): Promise<T> {
    try {
      return await context.with(trace.setSpan(parent, span), work);
    } catch (error) {
      span.setStatus({ code: SpanStatusCode.ERROR });
      throw error;
    } finally {
      span.end();
    }
  }

  return {
    request({ method, headers }, serve) {
      const from = propagation.extract(ROOT_CONTEXT, headers);
      const span = tracer.startSpan(
        method,
        { kind: SpanKind.SERVER, attributes: { "http.request.method": method } },
        from,
      );
      return during(span, from, () =>
        serve({
          answered({ requestId, route, status }) {
            span.setAttributes({ "clanxp.request_id": requestId, "http.response.status_code": status });
            if (route !== null) span.updateName(`${method} ${route}`).setAttribute("http.route", route);
            if (status >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
          },
        }),
      );
    },

    here: () => trace.getActiveSpan() ?? null,

    group(steps, run) {
      const requests = [...new Set(steps)].filter(
        (step): step is Span => step !== null && (step as Span).isRecording(),
      );
      const [first, ...others] = requests;
      if (!first) return run();
      const parent = trace.setSpan(ROOT_CONTEXT, first);
      const links = others.map((other) => ({ context: other.spanContext() }));
      const span = tracer.startSpan(
        "commit-group",
        { attributes: { "clanxp.commit_group.awards": steps.length }, links },
        parent,
      );
      for (const other of others) other.addLink({ context: span.spanContext() });
      return during(span, parent, run);
    },

    commit(run) {
      const attributes = { "db.system.name": "mongodb", "db.operation.name": "commitTransaction" };
      const span = tracer.startSpan("commit", { kind: SpanKind.CLIENT, attributes });
      return during(span, undefined, async () => {
        const result = await run();
        span.setAttribute("clanxp.commit.result", result.kind);
        if (result.kind !== "committed" && result.kind !== "conflict") span.setStatus({ code: SpanStatusCode.ERROR });
        return result;
      });
    },
  };
}
