// Each fault, alone and before all later ones: the answer names the first in the documented order.
import { beforeAll, describe, expect, test } from "vitest";
import { expectResponse, expectProblem, isReplayed } from "../support/responses.ts";
import { exchange, requestText } from "../support/raw-http.ts";
import { useApi } from "../support/use-api.ts";
import { testActor } from "../support/actor.ts";
import {
  faultsAfterReplay,
  faultsOfAward,
  faultsOfBatch,
  faultsOfCall,
  faultsOfRead,
  type Draft,
  type Fault,
  type KeyHolder,
} from "./faults-in-order.ts";

describe("the first of several errors in the documented order is returned:", async () => {
  const { world, port, clan } = await useApi({ clan: { amountMax: 2_000_000 } });
  /** By their keys: of one alone the clan's bound is exceeded later. */
  const appliedAmounts = { large: -2_000_000, small: -1 };
  const keys = new Map<KeyHolder, string>([["full", clan.key]]);
  beforeAll(async () => {
    keys.set("noDeduct", (await world.makeKey(clan.clanId, ["award"])).secret);
    keys.set("readOnly", (await world.makeKey(clan.clanId, ["read", "deduct", "reverse"])).secret);
    for (const holder of ["noRequests", "noAwards"] as const) {
      const { keyId, secret } = await world.makeKey(clan.clanId, ["award"]);
      await world.keys.limit(
        keyId,
        holder === "noRequests" ? { requestsPerSecond: 0 } : { awardsPerSecond: 0 },
        testActor,
      );
      keys.set(holder, secret);
    }
    await world.members.join({ clanId: clan.clanId, platformId: "m" }, new Date(), null);
    // Applied while it was allowed: the clan then lowers its bound, and takes in nobody any more.
    for (const platformId of ["m", "nobody"])
      for (const [key, amount] of Object.entries(appliedAmounts))
        expectResponse("apply-award", await clan.award(platformId, { amount }, { "idempotency-key": key }));
    expectResponse("apply-award", await clan.award("m", { amount: 0, reason: "x" }, { "idempotency-key": "bound" }));
    await clan.change({ autoClan: false, amountMax: 1_000_000 });
  });

  const goodAward: Omit<Draft, "clanId"> = {
    method: "POST",
    rest: "/members/m/xp",
    query: "",
    keyHolder: "full",
    headers: { "Content-Type": "application/json" },
    body: '{"amount":0}',
  };
  const goodBatch = { ...goodAward, rest: "/xp", body: '{"awards":[]}' };
  const goodCall = { ...goodAward, rest: "/awards", body: '{"awards":[{"platformId":"m","amount":0}]}' };
  const goodRead = { ...goodAward, method: "GET", rest: "/members/m/ledger", body: "" };

  async function send(good: Omit<Draft, "clanId">, faults: readonly Fault[]) {
    let draft: Draft = { ...good, clanId: clan.clanId };
    // The last first, so that where two spoil the same thing the first has its way.
    for (const [, , , spoilt] of faults.toReversed())
      draft = { ...draft, ...spoilt, headers: { ...draft.headers, ...spoilt.headers } };
    const key = keys.get(draft.keyHolder);
    const headers = Object.entries(
      key === undefined ? draft.headers : { ...draft.headers, Authorization: `Bearer ${key}` },
    );
    return exchange(
      port,
      requestText(draft.method, `/v0/clans/${draft.clanId}${draft.rest}${draft.query}`, headers, draft.body),
    );
  }

  const drafts = [
    { name: "an award", good: goodAward, faults: [...faultsOfAward, ...faultsAfterReplay] },
    { name: "several awards", good: goodCall, faults: faultsOfCall },
    { name: "a batch", good: goodBatch, faults: faultsOfBatch },
    { name: "a read", good: goodRead, faults: faultsOfRead },
  ];
  for (const { name, good, faults } of drafts) {
    test(`${name} without a fault succeeds`, async () => {
      const reply = await send({ ...good, headers: { ...good.headers, Prefer: "respond-async" } }, []);
      expect(reply.status).toBeLessThan(300);
    });

    for (const [index, first] of faults.entries()) {
      const later = faults.slice(index + 1);
      const [fault, status, code] = first;
      test(`${name} with ${fault} returns ${status} ${code}, also with ${later.length} later faults`, async () => {
        for (const others of [[], ...later.map((one) => [one]), later])
          expectProblem(await send(good, [first, ...others]), status, code);
      });
    }
  }

  const applied = Object.entries(appliedAmounts).map(([key, amount]) => {
    return { ...goodAward, body: `{"amount":${amount}}`, headers: { ...goodAward.headers, "Idempotency-Key": key } };
  });
  // The amounts are deductions already: what is left of that fault is the key.
  const cannotDeduct: Fault = ["no scope", 403, "scope_missing", { keyHolder: "noDeduct" }];
  const keepsPayload = ([, , , { body, headers }]: Fault): boolean => body === undefined && headers === undefined;
  const laterFaults = [...faultsAfterReplay.filter(keepsPayload), cannotDeduct];
  test("the replay of an applied award precedes an exceeded bound, an exceeded rate, a missing scope and a 404", async () => {
    for (const award of applied)
      for (const faults of [[], ...laterFaults.map((fault) => [fault]), laterFaults]) {
        const reply = await send(award, faults);
        expect([reply.status, isReplayed(reply)]).toStrictEqual([200, true]);
      }
  });

  test("every earlier error precedes the replay of an applied award", async () => {
    for (const award of applied)
      for (const fault of faultsOfAward.filter(([name]) => name !== "an invalid header"))
        expectProblem(await send(award, [fault, ...laterFaults]), fault[1], fault[2]);
  });

  test("none of these requests changes the member", async () => {
    const { xp } = expectResponse("read-member", await clan.get("/members/m"));
    expect(xp).toBe("0");
    const { entries } = expectResponse("read-ledger", await clan.get("/members/m/ledger"));
    // All but the one that made it a member.
    expect(entries.filter(({ kind }: { kind?: string }) => kind === undefined)).toHaveLength(5);
    expect(expectResponse("list-members", await clan.get("/members")).members).toHaveLength(2);
  });
});
