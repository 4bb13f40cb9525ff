// The rates of a key: counted for each request, and returned with its response (docs/reference/api.md, Rate limits;
// IETF draft of RateLimit headers).
import { AppError } from "#kernel/app-error.ts";
import { BURST_S, burstOf, type KeyLimits, type RateKind } from "#domain/key-limits.ts";
import type { Principal } from "#domain/key.ts";
import type { RateLimiter } from "#keys/ports.ts";
import type { HeaderList } from "./http/response.ts";

export type Rates = {
  /** Throws RateLimited. A key without this limit is not counted. */
  spend(kind: RateKind, amount: number): Promise<void>;
  /** The key's current limits, if they were read again: they apply to everything that is counted from here on. */
  follow(limits: KeyLimits): void;
  headers(): HeaderList;
};

/** An error that says when to retry. */
export class RateLimited extends AppError {
  readonly kind: RateKind;
  readonly retryAfterS: number;

  constructor(kind: RateKind, detail: string, retryAfterS: number) {
    super("rate_limited", detail);
    this.kind = kind;
    this.retryAfterS = retryAfterS;
  }
}

/** Of an address, of which no key is counted. */
export class TooManyUnsigned extends AppError {
  readonly retryAfterS = 1;

  constructor() {
    super("rate_limited", "This address sends too many requests without a valid signature: try again in 1 s.");
  }
}

export type RateLimits = (principal: Principal) => Rates;

export function makeRateLimits(limiter: RateLimiter): RateLimits {
  /** Created once each time a key is read. */
  const policies = new WeakMap<KeyLimits, string>();

  function policyOf(limits: KeyLimits): string {
    const policy = policies.get(limits) ?? describePolicy(limits);
    policies.set(limits, policy);
    return policy;
  }
  return (principal) => ratesOf(limiter, principal, policyOf);
}

function ratesOf(limiter: RateLimiter, principal: Principal, policyOf: (limits: KeyLimits) => string): Rates {
  const { keyId } = principal;
  const remaining: Record<RateKind, number | null> = { requests: null, awards: null };
  let { limits } = principal;

  /** For the limits that the request was counted against; if there are none (403, 405), for every limit. */
  function remainingOf(): Record<RateKind, number | null> {
    if (KINDS.some((kind) => remaining[kind] !== null && perSecondOf(limits, kind) !== null)) return remaining;
    const peek = (kind: RateKind): number | null => {
      const perSecond = perSecondOf(limits, kind);
      return perSecond === null ? null : limiter.peek({ keyId, kind, perSecond });
    };
    return { requests: peek("requests"), awards: peek("awards") };
  }

  return {
    async spend(kind, amount) {
      const perSecond = perSecondOf(limits, kind);
      if (perSecond === null) return;
      const verdict = await limiter.take({ keyId, kind, perSecond, amount });
      remaining[kind] = verdict.remaining;
      if (verdict.admitted) return;
      const allowed = `This key may send ${perSecond} ${kind} per second and ${burstOf(perSecond)} in a burst`;
      if (verdict.retryAfterMs === null) {
        const detail = `${allowed}: a request with ${amount} awards never fits, however long you wait. This request was not accepted. Ask the operator to raise the limit.`;
        throw new RateLimited(kind, detail, BURST_S);
      }
      const retryAfterS = Math.max(1, Math.ceil(verdict.retryAfterMs / 1_000));
      throw new RateLimited(kind, `${allowed}. Nothing was applied: try again in ${retryAfterS} s.`, retryAfterS);
    },

    follow(now) {
      for (const kind of KINDS) {
        const perSecond = perSecondOf(now, kind);
        if (remaining[kind] === null || perSecond === perSecondOf(limits, kind)) continue;
        remaining[kind] = perSecond === null ? null : limiter.peek({ keyId, kind, perSecond });
      }
      limits = now;
    },

    headers() {
      const policy = policyOf(limits);
      return policy === "" ? [] : ["ratelimit-policy", policy, "ratelimit", stateOf(limits, remainingOf())];
    },
  };
}

const KINDS: readonly RateKind[] = ["requests", "awards"];

function perSecondOf(limits: KeyLimits, kind: RateKind): number | null {
  return kind === "requests" ? limits.requestsPerSecond : limits.awardsPerSecond;
}

function describePolicy(limits: KeyLimits): string {
  return KINDS.flatMap((kind) => {
    const perSecond = perSecondOf(limits, kind);
    return perSecond === null ? [] : `"${kind}";q=${burstOf(perSecond)};w=${BURST_S}`;
  }).join(", ");
}

function stateOf(limits: KeyLimits, remaining: Record<RateKind, number | null>): string {
  let state = "";
  for (const kind of KINDS) {
    const [perSecond, left] = [perSecondOf(limits, kind), remaining[kind]];
    if (perSecond === null || left === null) continue;
    const fullInS = Math.ceil((burstOf(perSecond) - left) / perSecond);
    state += `${state && ", "}"${kind}";r=${left};t=${fullInS}`;
  }
  return state;
}
