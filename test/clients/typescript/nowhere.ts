// A client without a network, and what its `fetch` may answer.
import type { ClanXpOptions } from "../../../clients/typescript/src/types.ts";

/** Nothing listens there: the client needs a `fetch`. */
export const nowhere: ClanXpOptions = { baseUrl: "http://127.0.0.1:1", clanId: "c", apiKey: "cxp_key" };

export type Sent = { platformId: string }[];

export function sentIn(init: RequestInit | undefined): Sent {
  return (JSON.parse(init?.body as string) as { awards: Sent }).awards;
}

/** All of them were applied. */
export function applied(awards: Sent): Response {
  const results = awards.map(({ platformId }, index) => {
    return { index, platformId, status: "applied", xp: "5", rank: "Guest" };
  });
  return new Response(JSON.stringify({ applied: awards.length, results }));
}

export function problem(
  status: number,
  code: string,
  errors: unknown[] = [],
  more: Record<string, string> = {},
): Response {
  const headers = { "content-type": "application/problem+json", ...more };
  return new Response(JSON.stringify({ code, detail: "No.", errors }), { status, headers });
}
