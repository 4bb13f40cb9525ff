// Reads and writes the header `traceparent` of W3C Trace Context (https://www.w3.org/TR/trace-context). A malformed one
// counts as absent. `tracestate`, which contains the caller's text, is not propagated.
import {
  isSpanContextValid,
  trace,
  type Context,
  type TextMapGetter,
  type TextMapPropagator,
  type TextMapSetter,
} from "@opentelemetry/api";

/** Versions after 00 may append fields; ff is invalid. */
const TRACEPARENT = /^(?!ff)[\da-f]{2}-([\da-f]{32})-([\da-f]{16})-([\da-f]{2})(?:(?<!^00.*)-.*)?$/;

export const traceContext: TextMapPropagator = {
  inject(context: Context, carrier: unknown, setter: TextMapSetter) {
    const step = trace.getSpanContext(context);
    if (!step || !isSpanContextValid(step)) return;
    const flags = step.traceFlags.toString(16).padStart(2, "0");
    setter.set(carrier, "traceparent", `00-${step.traceId}-${step.spanId}-${flags}`);
  },

  extract(context: Context, carrier: unknown, getter: TextMapGetter) {
    const header = getter.get(carrier, "traceparent");
    const found = typeof header === "string" ? TRACEPARENT.exec(header) : null;
    const [, traceId = "", spanId = "", flags = "0"] = found ?? [];
    // Only this flag matters here: whether the trace is sampled.
    const step = { traceId, spanId, traceFlags: Number.parseInt(flags, 16) & 1, isRemote: true };
    return isSpanContextValid(step) ? trace.setSpanContext(context, step) : context;
  },

  fields: () => ["traceparent"],
};
