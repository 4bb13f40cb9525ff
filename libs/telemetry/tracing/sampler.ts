// Selects the traces that are exported, by OTEL_TRACES_SAMPLER and OTEL_TRACES_SAMPLER_ARG, which the SDK does not
// implement itself.
import { SpanKind, trace } from "@opentelemetry/api";
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  ParentBasedSampler,
  SamplingDecision,
  TraceIdRatioBasedSampler,
  type Sampler,
} from "@opentelemetry/sdk-trace";

/** The sampler that the environment names; the standard's default for an unknown name. */
export function samplerOf(env: Readonly<Record<string, string | undefined>>): Sampler {
  const ratio = Number(env["OTEL_TRACES_SAMPLER_ARG"] || 1);
  const byRatio = new TraceIdRatioBasedSampler(Number.isFinite(ratio) ? ratio : 1);
  switch (env["OTEL_TRACES_SAMPLER"]) {
    case "always_on":
      return quietly(new AlwaysOnSampler());
    case "always_off":
      return new AlwaysOffSampler();
    case "traceidratio":
      return quietly(byRatio);
    case "parentbased_always_off":
      return quietly(new ParentBasedSampler({ root: new AlwaysOffSampler() }));
    case "parentbased_traceidratio":
      return quietly(new ParentBasedSampler({ root: byRatio }));
    default:
      return quietly(new ParentBasedSampler({ root: new AlwaysOnSampler() }));
  }
}

/** BullMQ creates a span for each poll for jobs and each extended lock, in separate traces that nobody reads. */
function quietly(sampler: Sampler): Sampler {
  return {
    shouldSample(from, traceId, spanName, spanKind, attributes, links) {
      const isHousekeeping = spanKind === SpanKind.INTERNAL && !trace.getSpanContext(from);
      if (isHousekeeping) return { decision: SamplingDecision.NOT_RECORD };
      return sampler.shouldSample(from, traceId, spanName, spanKind, attributes, links);
    },
    toString: () => String(sampler),
  };
}
