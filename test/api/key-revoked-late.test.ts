// A large body waits for its turn to be parsed: a key that is revoked meanwhile applies nothing.
import type { IncomingMessage, ServerResponse } from "node:http";
import { Readable } from "node:stream";
import { expect, test } from "vitest";
import { endpoints } from "#contract/endpoints.ts";
import { AppError } from "#domain/app-error.ts";
import { KEY_LIMITS_DEFAULT } from "#domain/key-limits.ts";
import { makeHandler, type Incoming } from "../../apps/api/endpoint.ts";

const principal = { keyId: "k", clanId: "c", scopes: ["award"] as const, limits: KEY_LIMITS_DEFAULT };

test("an API key that is revoked while its large body waits to be parsed is rejected before the route is called", async () => {
  let isRevoked = false;
  const incoming: Incoming = {
    params: { clanId: "c" },
    query: new URLSearchParams(),
    principal,
    async principalNow() {
      if (isRevoked) throw new AppError("key_revoked", "");
      return principal;
    },
    rates: { spend: async () => {}, follow: () => {}, headers: () => [] },
    holdBytes: () => null,
    holdAwards: () => {},
    async takeTurn(_keyId, work) {
      isRevoked = true;
      return work();
    },
  };
  const body = Readable.from([Buffer.from(`{"awards":[]}${" ".repeat(20_000)}`)]);
  const type = "application/json";
  const headers = { headers: { "content-type": type }, rawHeaders: ["Content-Type", type] };
  const req = Object.assign(body, headers) as unknown as IncomingMessage;
  let calls = 0;
  const handler = makeHandler(endpoints["submit-batch"], async () => ({ status: 200, body: { calls: (calls += 1) } }));
  await expect(handler.handle(incoming, req, {} as ServerResponse)).rejects.toMatchObject({ code: "key_revoked" });
  expect(calls).toBe(0);
});
