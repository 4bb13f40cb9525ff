// What a key may still do, as one request spends it and as its answer says it (CONTRACT 7; RateLimit header fields, IETF draft).
import { AppError } from "#domain/app-error.ts";
import { BURST_S, burstOf } from "#domain/key-limits.ts";
import type { Principal } from "#usecases/key.ts";
import type { RateKind, RateLimiter } from "#usecases/ports.ts";

export type Rates = {
  /** Throws RateLimited. A key without this limit spends nothing. */
  spend(kind: RateKind, amount: number): Promise<void>;
  headers(): Record<string, string>;
};

/** A refusal that says when to come again. */
export class RateLimited extends AppError {
  readonly kind: RateKind;
  readonly retryAfterS: number;

  constructor(kind: RateKind, detail: string, retryAfterS: number) {
    super("rate_limited", detail);
    this.kind = kind;
    this.retryAfterS = retryAfterS;
  }
}

export function makeRates(limiter: RateLimiter, { keyId, limits }: Principal): Rates {
  const perSecondOf = { requests: limits.requestsPerSecond, awards: limits.awardsPerSecond } as const satisfies Record<
    RateKind,
    number | null
  >;
  const remaining = new Map<RateKind, number>();

  return {
    async spend(kind, amount) {
      const perSecond = perSecondOf[kind];
      if (perSecond === null) return;
      const verdict = await limiter.take({ keyId, kind, perSecond, amount });
      remaining.set(kind, verdict.remaining);
      if (verdict.admitted) return;
      const allowed = `This key may send ${perSecond} ${kind} per second and ${burstOf(perSecond)} at once`;
      if (verdict.retryAfterMs === null) throw new RateLimited(kind, `${allowed}: a batch of ${amount} never fits. Split it.`, BURST_S);
      const retryAfterS = Math.max(1, Math.ceil(verdict.retryAfterMs / 1_000));
      throw new RateLimited(kind, `${allowed}. Nothing was applied: try again in ${retryAfterS} s.`, retryAfterS);
    },

    headers() {
      const policies: string[] = [];
      const states: string[] = [];
      for (const kind of ["requests", "awards"] as const) {
        const perSecond = perSecondOf[kind];
        if (perSecond === null) continue;
        const burst = burstOf(perSecond);
        policies.push(`"${kind}";q=${burst};w=${BURST_S}`);
        const left = remaining.get(kind);
        if (left !== undefined) states.push(`"${kind}";r=${left};t=${Math.ceil((burst - left) / perSecond)}`);
      }
      if (policies.length === 0) return {};
      return { "ratelimit-policy": policies.join(", "), ...(states.length > 0 ? { ratelimit: states.join(", ") } : {}) };
    },
  };
}
