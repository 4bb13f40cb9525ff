// Answers of POST /v0/clans/{clanId}/awards and …/names on command: what no real server can be made to say at a given
// moment.
import type { Answered, SentRequest, Respond } from "./game-server.ts";

export type SentEntry = {
  platformId: string;
  amount: number;
  reason?: string;
  source?: object;
  idempotencyKey: string;
};
export type SentName = { platformId: string; name: string };
export type AwardsApi = {
  respond: Respond;
  /** The entries of every call, in order of arrival. */
  calls: SentEntry[][];
  /** The same for calls with names, which are no calls above. */
  nameCalls: SentName[][];
  /** How often the entry under each key was counted: an API counts a key once. */
  counted: Map<string, number>;
};

type Plan = (call: number, request: SentRequest, apply: () => Response) => Answered | undefined;
type NamesPlan = (call: number) => Answered | undefined;

/** Applies every call, except where `plan` answers the n-th request (from 0) in its place; names have their own. */
export function makeAwardsApi(plan: Plan = () => undefined, namesPlan: NamesPlan = () => undefined): AwardsApi {
  const calls: SentEntry[][] = [];
  const nameCalls: SentName[][] = [];
  const counted = new Map<string, number>();
  const xp = new Map<string, number>();
  let count = 0;

  function apply(entries: readonly SentEntry[]): Response {
    const results = entries.map(({ platformId, amount, idempotencyKey }, index) => {
      const isNew = !counted.has(idempotencyKey);
      if (isNew) counted.set(idempotencyKey, amount);
      if (isNew) xp.set(platformId, (xp.get(platformId) ?? 0) + amount);
      const text = String(xp.get(platformId));
      return {
        index,
        platformId,
        status: isNew ? "applied" : "replayed",
        xp: text,
        rank: "Recruit",
        change: { previousXp: "0", previousRank: "Guest", rankChanged: isNew && xp.get(platformId) === amount },
      };
    });
    return Response.json({ applied: results.length, results });
  }

  return {
    calls,
    nameCalls,
    counted,
    respond(request) {
      if (request.url.endsWith("/names")) {
        const { names } = JSON.parse(request.body ?? "") as { names: SentName[] };
        nameCalls.push(names);
        return namesPlan(nameCalls.length - 1) ?? Response.json({ stored: names.length });
      }
      const entries = request.body === undefined ? [] : (JSON.parse(request.body) as { awards: SentEntry[] }).awards;
      if (request.method === "POST") calls.push(entries);
      const call = count;
      count += 1;
      return plan(call, request, () => apply(entries)) ?? apply(entries);
    },
  };
}

export function problem(
  status: number,
  code: string,
  more: object = {},
  headers: Record<string, string> = {},
): Response {
  const body = { type: `x#${code}`, title: code, status, code, detail: `It is ${code}.`, requestId: "req_1", ...more };
  return Response.json(body, {
    status,
    headers: { "content-type": "application/problem+json", "request-id": "req_1", ...headers },
  });
}
