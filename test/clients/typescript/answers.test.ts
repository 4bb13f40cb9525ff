import { expect, test } from "vitest";
import { awarded, startStandIn, type Answer } from "./stand-in.ts";
import { errorOf, KEY, useClients } from "./use-clients.ts";

const { clientOf, peers } = useClients();

test.concurrent("a response without result or problem is unexpected_answer, and retried only if its status permits", async () => {
  const cases: [Answer, number, boolean][] = [
    [{ status: 200, body: "<html>" }, 200, true],
    [{ status: 304 }, 304, false],
    [{ status: 403, headers: { "content-type": "text/html" }, body: "<html>" }, 403, false],
    [{ status: 404, body: { message: "no code" } }, 404, false],
    [{ status: 409, body: { code: "conflict" } }, 409, false],
    [{ status: 503, body: { code: "busy", detail: { text: "no text" } } }, 503, true],
    [{ status: 522, headers: { "content-type": "text/html" }, body: "<html>" }, 522, true],
  ];
  await Promise.all(
    cases.map(async ([answer, status, retryable]) => {
      const { clan, peer } = await clientOf([answer], { retries: 1 });
      const error = await errorOf(clan.award("p", 5));
      expect(error).toMatchObject({ code: "unexpected_answer", status, retryable, attempts: retryable ? 2 : 1 });
      expect(error.message).toBe(`The answer with status ${status} is not one of the API.`);
      expect(peer.received).toHaveLength(retryable ? 2 : 1);
    }),
  );
});

test.concurrent("a redirect is not followed, and its error names where it points to", async () => {
  const elsewhere = await startStandIn(() => awarded);
  peers.push(elsewhere);
  await Promise.all(
    [301, 302, 303, 307, 308].map(async (status) => {
      const location = `${elsewhere.url}/v0/?key=${KEY}`;
      const { clan, peer } = await clientOf([{ status, headers: { location }, body: { code: "moved" } }]);
      const error = await errorOf(clan.award("p", 5));
      expect(error).toMatchObject({ code: "unexpected_answer", status, retryable: false, attempts: 1 });
      expect(error.message).toContain(`${elsewhere.url}/v0/?key=***`);
      expect(peer.received).toHaveLength(1);
    }),
  );
  expect(elsewhere.received).toStrictEqual([]);
});

test.concurrent("every method retries a 200 that is not an answer of its endpoint", async () => {
  const by = { batchId: "bat_1" };
  // With any, since the deprecated methods count as well.
  const calls: [(clan: any) => Promise<unknown>, object][] = [
    [
      (clan) => clan.awards([{ platformId: "p", amount: 5 }]),
      { applied: 1, results: [{ status: "applied", xp: "5" }] },
    ],
    [(clan) => clan.member("p"), { platformId: "p", xp: "5" }],
    [(clan) => clan.members()[Symbol.asyncIterator]().next(), { members: [{}], nextCursor: null }],
    [(clan) => clan.ledger("p")[Symbol.asyncIterator]().next(), { entries: [{}], nextCursor: null }],
    [(clan) => clan.clan(), { clanId: "rovers", ranks: [] }],
    [(clan) => clan.submitBatch([{ platformId: "p", amount: 5 }]), { applied: 1, results: [] }],
    [(clan) => clan.batch("bat_1"), { batchId: "bat_1", status: "done" }],
    [(clan) => clan.previewReversal(by), { awards: 1, members: 1, amount: "5" }],
    [(clan) => clan.reverse(by), { reversalId: "rev_1", status: "queued" }],
    [(clan) => clan.reversal("rev_1"), { reversalId: "rev_1", status: "done" }],
  ];
  await Promise.all(
    calls.map(async ([run, body]) => {
      const { clan, peer } = await clientOf([{ body: { status: "ok" } }, { body }]);
      await run(clan);
      expect(peer.received).toHaveLength(2);
      expect(peer.received[1]).toMatchObject({ path: peer.received[0]?.path, body: peer.received[0]?.body });
      expect(new Set(peer.received.map(({ headers }) => headers["idempotency-key"])).size).toBe(1);
    }),
  );
});

test.concurrent("a response without a Request-Id gives undefined, in results and in errors", async () => {
  const anonymous = { "request-id": "" };
  const { clan } = await clientOf([{ headers: anonymous, ...(awarded as object) }]);
  expect((await clan.award("p", 5)).requestId).toBeUndefined();
  const { clan: busy } = await clientOf([
    { status: 403, headers: anonymous, body: { code: "scope_missing", detail: "" } },
  ]);
  expect((await errorOf(busy.award("p", 5))).requestId).toBeUndefined();
  const queues = [
    await clientOf([{ headers: anonymous, body: { results: [{ status: "applied", xp: "5", rank: "Guest" }] } }]),
    await clientOf([
      { headers: anonymous, body: { results: [{ status: "rejected", error: { code: "scope_missing" } }] } },
    ]),
  ].map((one) => one.clan.queue({ flushMs: 0, onDropped() {} }));
  expect((await queues[0]?.add("p", 5))?.requestId).toBeUndefined();
  expect((await errorOf(queues[1]?.add("p", 5) as Promise<unknown>)).requestId).toBeUndefined();
});
