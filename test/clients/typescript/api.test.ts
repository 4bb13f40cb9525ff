import { expect, onTestFinished, test } from "vitest";
import { ClanXp, ClanXpError, type ClanEvent, type ReversalBy } from "../../../clients/typescript/src/index.ts";
import type { ClanXpOptions } from "../../../clients/typescript/src/types.ts";
import { seedOfRun } from "../../support/seed.ts";
import { chanceOf } from "../../support/chance.ts";
import { makeClanCaller, type ClanCaller } from "../../support/clan-caller.ts";
import { startTcpProxy } from "../../support/tcp-proxy.ts";
import { useApi } from "../../support/use-api.ts";

/** Some calls of a few kilobytes get through between two losses; a silent one costs a whole timeout. */
const LOSS_EVERY_BYTES = 40_000;

const { world, port, clan: caller } = await useApi({ worker: true });
const clientOf = ({ clanId, key }: ClanCaller, more: Partial<ClanXpOptions> = {}) =>
  new ClanXp({ baseUrl: `http://127.0.0.1:${port}`, clanId, apiKey: key, ...more });
const clan = clientOf(caller, { baseUrl: `http://127.0.0.1:${port}/` });

async function listed<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const list = [];
  for await (const item of items) list.push(item);
  return list;
}

test("the TypeScript client returns XP, rank and key of an award, and applies the same cause once", async () => {
  const [platformId, idempotencyKey] = ["one:@|.-_", "match-81/one:@|.-_"];
  const award = { reason: "won", source: { matchId: "81", verified: true } };
  const first = await clan.award(platformId, 150, { ...award, cause: "match-81", change: true });
  expect(first).toMatchObject({ platformId, xp: "150", rank: "Recruit", replayed: false, idempotencyKey });
  expect(first.change).toMatchObject({
    amount: "150",
    applied: "150",
    boost: null,
    limitedBy: null,
    previousXp: "0",
    ranksPassed: ["Recruit"],
    membershipCreated: true,
    nextRank: "Veteran",
  });
  const again = await clan.award(platformId, 150, { ...award, idempotencyKey });
  expect(again).toMatchObject({ xp: "150", replayed: true });
  const reused = await clan.award(platformId, 1, { cause: "match-81" }).catch((error: unknown) => error);
  expect(reused).toMatchObject({ code: "idempotency_key_reused", status: 422, retryable: false, idempotencyKey });
  const rejected = await clan.award("one", 2_000_000).catch((error: unknown) => error);
  expect(rejected).toBeInstanceOf(ClanXpError);
  expect(rejected).toMatchObject({ code: "invalid_request", status: 400, errors: [{ pointer: "/amount" }] });
});

test("the TypeScript client returns a result or an error for each award of a call, with its key", async () => {
  await clan.award("several", 1, { idempotencyKey: "taken" });
  const { applied, results } = await clan.awards([
    { platformId: "several", amount: 2, cause: "c" },
    { platformId: "several", amount: 5, idempotencyKey: "taken" },
    { platformId: "several", amount: 1, idempotencyKey: "taken" },
    { platformId: "several", amount: 3 },
  ]);
  expect(applied).toBe(3);
  expect(results).toMatchObject([
    { index: 0, status: "applied", xp: "3", idempotencyKey: "c/several" },
    { index: 1, status: "rejected", error: { code: "idempotency_key_reused" }, idempotencyKey: "taken" },
    { index: 2, status: "replayed", xp: "1", idempotencyKey: "taken" },
    { index: 3, status: "applied", xp: "6", idempotencyKey: expect.stringMatching(/^[\da-f-]{36}$/) },
  ]);
  const changed = await clan.awards([{ platformId: "several", amount: 1 }], { change: true });
  expect(changed.results[0]).toMatchObject({ change: { applied: "1" } });
});

test("the TypeScript client reads a clan, a member or null, and all pages of members and of a ledger", async () => {
  const other = await makeClanCaller(world, port);
  const reader = clientOf(other, { apiKey: () => Promise.resolve(other.key) });
  for (const amount of [1, 2, 3]) await reader.award(`m${amount}`, amount);
  for (const amount of [10, 20]) await reader.award("m1", amount);
  expect(await reader.clan()).toStrictEqual((await other.get("")).body);
  expect(await reader.member("m2")).toStrictEqual((await other.get("/members/m2")).body);
  expect(await reader.member("nobody")).toBeNull();
  const members = reader.members({ sort: "platformId", pageSize: 2 });
  expect((await listed(members)).map(({ platformId }) => platformId)).toStrictEqual(["m1", "m2", "m3"]);
  // It can be read again: the second time is no empty list.
  expect(await listed(members)).toHaveLength(3);
  expect((await listed(reader.members())).map(({ xp }) => xp)).toStrictEqual(["31", "3", "2"]);
  const entries = await listed(reader.ledger("m1", { pageSize: 1 }));
  expect(entries.map(({ amount }) => amount)).toStrictEqual(["20", "10", "1"]);
  await expect(listed(reader.ledger("nobody"))).rejects.toMatchObject({ code: "member_not_found", status: 404 });
  const elsewhere = clientOf(other, { baseUrl: `http://127.0.0.1:${port}/wrong` });
  await expect(elsewhere.member("m1")).rejects.toMatchObject({ code: "not_found" });
});

test("the TypeScript client follows the events of a clan as they happen, and goes on after any of them", async () => {
  const own = await makeClanCaller(world, port);
  const follower = clientOf(own);
  const start = await follower.eventPage({ after: "now" });
  const stop = new AbortController();
  const types = ["member.*"];
  const heard: ClanEvent[] = [];
  const following = (async () => {
    for await (const event of follower.events({ after: start.cursor, types, signal: stop.signal })) heard.push(event);
  })();
  for (const amount of [100, 900, -900]) await follower.award("1", amount);
  await expect.poll(() => heard.length).toBe(4);
  const ranks = heard.map(({ data }) => "rank" in data && data.rank);
  expect(ranks).toStrictEqual(["Recruit", "Recruit", "Veteran", "Recruit"]);
  stop.abort();
  await expect(following).rejects.toMatchObject({ code: "aborted" });

  const wire = (await own.get("/events?types=member.*")).body;
  expect(heard).toMatchObject(wire.events);
  // From the oldest, in few pages: the cursor of each event goes on with the next one.
  const again: ClanEvent[] = [];
  for await (const event of follower.events({ types })) if (again.push(event) === 4) break;
  expect(again).toMatchObject(wire.events);
  for (const [index, { cursor }] of again.slice(0, 3).entries()) {
    const { events } = await follower.eventPage({ after: cursor, types });
    expect(events).toStrictEqual(wire.events.slice(index + 1));
  }
  await expect(follower.eventPage({ types: ["key.*"] })).rejects.toMatchObject({ code: "invalid_request" });
});

test("the TypeScript client submits, awaits and reads a batch, and a retry with its key returns the same one", async () => {
  /* oxlint-disable typescript/no-deprecated -- it works as long as the endpoint does */
  const done = await clan.submitBatch([{ platformId: "batch", amount: 5 }], { idempotencyKey: "b1", waitS: 30 });
  expect(done).toMatchObject({ status: "done", applied: 1, results: [{ status: "applied", xp: "5" }] });
  expect(await clan.submitBatch([{ platformId: "batch", amount: 5 }], { idempotencyKey: "b1" })).toStrictEqual(done);
  const accepted = await clan.submitBatch([{ platformId: "batch", amount: 5 }], { waitS: 0 });
  const batch = await clan.batch(accepted.batchId ?? "");
  expect(batch).toMatchObject({ batchId: accepted.batchId, createdAt: expect.any(String) });
  /* oxlint-enable typescript/no-deprecated */
});

test("the TypeScript client previews reversals, submits them once with a key, and reads them until they are done", async () => {
  const own = await makeClanCaller(world, port, {}, ["award", "deduct", "read", "reverse"]);
  const reverser = clientOf(own);
  const first = await reverser.award("cheater", 50, { source: { matchId: "81" }, change: true });
  await reverser.award("cheater", 30, { source: { matchId: "81" } });
  await reverser.award("honest", 5);
  const by = { matchId: "81" };
  expect(await reverser.previewReversal(by)).toStrictEqual({ awards: 2, members: 1, amount: "80" });
  const options = { reason: "cheating", idempotencyKey: "undo-81" };
  const { reversalId, status } = await reverser.reverse(by, options);
  expect(status).toBe("queued");
  expect(await reverser.reverse(by, options)).toMatchObject({ reversalId });
  await expect.poll(async () => (await reverser.reversal(reversalId)).status).toBe("done");
  const done = { reversalId, status: "done", by, reason: "cheating", selected: 2, reversed: 2, skipped: 0 };
  const times = { createdAt: expect.any(String), finishedAt: expect.any(String) };
  expect(await reverser.reversal(reversalId)).toStrictEqual({ ...done, ...times });
  const ledger = (await listed(reverser.ledger("cheater"))).map(({ kind, applied }) => [kind, applied]);
  expect(ledger).toContainEqual(["reversal", "-50"]);
  expect((await reverser.member("cheater"))?.xp).toBe("0");

  const from = "2026-01-01T00:00:00Z";
  const awardId = first.change?.awardId ?? "";
  const selections: ReversalBy[] = [
    { platformId: "cheater", awardId },
    { batchId: "bat_1" },
    { keyId: "none", from, to: undefined },
  ];
  for (const selection of selections) expect(await reverser.previewReversal(selection)).toMatchObject({ awards: 0 });
  expect(await reverser.previewReversal({ platformId: "honest", from })).toMatchObject({ awards: 1, amount: "5" });

  const reused = { code: "idempotency_key_reused", status: 422 };
  await expect(reverser.reverse({ batchId: "bat_1" }, options)).rejects.toMatchObject(reused);
  const invalid = { code: "invalid_request", errors: [{ pointer: "/by/from" }] };
  await expect(reverser.previewReversal({ matchId: "81", from: "today" })).rejects.toMatchObject(invalid);
  await expect(reverser.reversal("rev_none")).rejects.toMatchObject({ code: "reversal_not_found", status: 404 });
  await expect(clan.previewReversal(by)).rejects.toMatchObject({ code: "scope_missing", status: 403 });
});

test("a queue on the real API keeps the order of each member, and drops only what is rejected", async () => {
  const dropped: unknown[] = [];
  const queue = clan.queue({
    flushMs: 10,
    onDropped: (award, error) => dropped.push([award.platformId, award.amount, error.code]),
  });
  const added = Array.from({ length: 230 }, (_, index) => queue.add(`order-${index % 3}`, index + 1));
  // Over the clan's own bound: the API rejects the whole call and names this entry.
  void queue.add("order-0", 2_000_000);
  const results = await Promise.all(added);
  expect(await queue.close()).toStrictEqual({ delivered: 230, dropped: 1 });
  expect(dropped).toStrictEqual([["order-0", 2_000_000, "invalid_request"]]);
  for (const member of [0, 1, 2]) {
    const own = results.filter((_, index) => index % 3 === member);
    const amounts = (await listed(clan.ledger(`order-${member}`))).map(({ amount }) => Number(amount)).toReversed();
    expect(amounts).toStrictEqual(own.map(({ change }) => Number(change?.amount)));
    expect(amounts).toStrictEqual(amounts.toSorted((a, b) => a - b));
  }
});

test(
  "a queue applies every award once and in order over a network that loses requests and responses",
  { timeout: 120_000 },
  async () => {
    const chance = chanceOf(seedOfRun());
    const proxy = await startTcpProxy({ host: "127.0.0.1", port });
    onTestFinished(() => proxy.close());
    const dropped: unknown[] = [];
    const lossy = clientOf(caller, { baseUrl: `http://127.0.0.1:${proxy.port}`, timeoutMs: 1_000 });
    const queue = lossy.queue({ flushMs: 5, maxEntries: 20, onDropped: (_award, error) => dropped.push(error) });
    const losses = { there: 0, back: 0, silent: 0 };
    let added = 0;
    let isOver = false;
    const closed = Promise.withResolvers<void>();
    const faults = (async () => {
      for (;;) {
        const way = chance.pick(["there", "back"] as const);
        const silently = chance.hits(0.3);
        await Promise.race([
          proxy.cutAfter(way, { bytes: chance.int(1, LOSS_EVERY_BYTES) }, { silently }),
          closed.promise,
        ]);
        if (isOver) return;
        losses[way] += 1;
        if (silently) losses.silent += 1;
      }
    })();
    const singles: Promise<unknown>[] = [];
    while (losses.there < 3 || losses.back < 3 || losses.silent < 2) {
      const platformId = `lossy-${chance.int(0, 9)}`;
      void queue.add(platformId, (added += 1));
      if (chance.hits(0.02)) singles.push(lossy.award(`single-${singles.length}`, 1));
      await new Promise((resolve) => setImmediate(resolve));
      if (queue.pending > 500) await queue.flush();
    }
    isOver = true;
    closed.resolve();
    await faults;
    // The last fault may still wait for its bytes.
    expect(await queue.close({ deadlineMs: 60_000 })).toStrictEqual({ delivered: added, dropped: 0 });
    await Promise.all(singles);
    expect(dropped).toStrictEqual([]);

    const ledgers = await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        listed(clan.ledger(`lossy-${index}`, { pageSize: 200 })).catch(() => []),
      ),
    );
    const amounts = ledgers.map((entries) => entries.map(({ amount }) => Number(amount)).toReversed());
    for (const own of amounts) expect(own).toStrictEqual(own.toSorted((a, b) => a - b));
    expect(amounts.flat().toSorted((a, b) => a - b)).toStrictEqual(
      Array.from({ length: added }, (_, index) => index + 1),
    );
    const xps = await Promise.all(singles.map(async (_, index) => (await clan.member(`single-${index}`))?.xp));
    expect(new Set(xps).size).toBeLessThanOrEqual(1);
  },
);
