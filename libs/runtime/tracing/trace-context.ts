// The header `traceparent` of the W3C's Trace Context (https://www.w3.org/TR/trace-context), read and written. What is
// malformed is as good as absent. `tracestate`, a text of the caller's, is not handed on.
import {
  isSpanContextValid,
  trace,
  type Context,
  type TextMapGetter,
  type TextMapPropagator,
  type TextMapSetter,
} from "@opentelemetry/api";

/** Later versions than 00 may append fields; ff is none. */
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
    // Of the flags only this one says something here: whether the trace is kept.
    const step = { traceId, spanId, traceFlags: Number.parseInt(flags, 16) & 1, isRemote: true };
    return isSpanContextValid(step) ? trace.setSpanContext(context, step) : context;
  },

  fields: () => ["traceparent"],
};
