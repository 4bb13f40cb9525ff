// A service that applies each key once and misbehaves as chance wills, in the place of fetch: what it applied is known
// exactly.
import type { Chance } from "../../support/chance.ts";

export type SeenEntry = { platformId: string; amount: number; idempotencyKey: string };

export type RandomService = {
  fetch: typeof fetch;
  /** Amounts by member, in the order in which they were applied. */
  applied: Map<string, number[]>;
  /** Awards that it will never apply. */
  rejected: Set<string>;
  /** What every call carried. */
  calls: SeenEntry[][];
  /** Calls that are open at the same time, at most. */
  mostOpen: number;
  heal(): void;
};

const json = (status: number, body: object, headers: Record<string, string> = {}): Response =>
  new Response(JSON.stringify(body), {
    status,
    headers: { "content-type": status < 400 ? "application/json" : "application/problem+json", ...headers },
  });

/** `observe` receives each call before it has any effect. */
export function makeRandomService(chance: Chance, observe: (entries: SeenEntry[]) => void): RandomService {
  let isHealthy = false;
  const open = new Set<object>();
  const seen = new Map<string, number>();
  const service: RandomService = {
    fetch: exchange,
    applied: new Map(),
    rejected: new Set(),
    calls: [],
    mostOpen: 0,
    heal: () => void (isHealthy = true),
  };
  const goesWrong = (share: number): boolean => !isHealthy && chance.hits(share);
  const problem = (status: number, code: string, more: object = {}): Response =>
    json(status, { code, detail: code, ...more }, headers());
  const headers = (): Record<string, string> => (chance.hits(0.2) ? { "retry-after": String(chance.int(0, 3)) } : {});

  function apply({ platformId, amount, idempotencyKey }: SeenEntry, index: number): object {
    const key = `${platformId} ${idempotencyKey}`;
    if (service.rejected.has(key) || goesWrong(0.02)) {
      if (!seen.has(key)) {
        service.rejected.add(key);
        return { index, platformId, status: "rejected", error: { code: "member_not_found", detail: "no" } };
      }
    }
    const failed = { index, platformId, status: "failed", error: { code: "outcome_unknown", detail: "?" } };
    if (goesWrong(0.05)) return failed;
    const status = seen.has(key) ? "replayed" : "applied";
    if (status === "applied") {
      seen.set(key, amount);
      service.applied.set(platformId, [...(service.applied.get(platformId) ?? []), amount]);
    }
    return goesWrong(0.05) ? failed : { index, platformId, status, xp: String(amount), rank: "Guest" };
  }

  async function exchange(_url: unknown, init: RequestInit = {}): Promise<Response> {
    const { awards } = JSON.parse(init.body as string) as { awards: SeenEntry[] };
    // Everyone who awaits what was settled before this call is notified first.
    for (let turn = 0; turn < 10; turn += 1) await Promise.resolve();
    observe(awards);
    service.calls.push(awards);
    // One that its caller has given up is not open any more, though it may still be applied.
    const call = {};
    open.add(call);
    init.signal?.addEventListener("abort", () => open.delete(call));
    service.mostOpen = Math.max(service.mostOpen, open.size);
    try {
      await new Promise((resolve) => setTimeout(resolve, chance.int(0, isHealthy ? 50 : 3_000)));
      if (goesWrong(0.1)) throw new TypeError("fetch failed");
      if (goesWrong(0.1)) return problem(chance.pick([408, 425, 429, 500, 502, 503, 504, 522]), "busy");
      const wrong = awards.findIndex(({ platformId, idempotencyKey }) =>
        service.rejected.has(`${platformId} ${idempotencyKey}`),
      );
      if (wrong >= 0 && chance.hits(0.5))
        return problem(400, "invalid_request", { errors: [{ pointer: `/awards/${wrong}/amount`, detail: "no" }] });
      const results = awards.map(apply);
      if (goesWrong(0.1)) throw new TypeError("terminated");
      return json(200, { applied: 0, results });
    } finally {
      open.delete(call);
    }
  }
  return service;
}
