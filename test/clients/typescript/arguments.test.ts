import { expect, test } from "vitest";
import { ClanXp, ClanXpError } from "../../../clients/typescript/src/index.ts";

let sent = 0;
const options = { baseUrl: "http://127.0.0.1:1", clanId: "rovers", apiKey: "cxp_key_secret", retries: 0 };
const clan = new ClanXp({ ...options, fetch: () => Promise.reject(new Error(`request ${(sent += 1)}`)) }) as any;

/** The award is dropped like any other: add() rejects, and onDropped receives the same error. */
async function addReported(args: unknown[]): Promise<void> {
  const reported: unknown[] = [];
  const queue = clan.queue({ onDropped: (_: unknown, error: unknown) => reported.push(error) });
  const error = await queue.add(...args).catch((reason: unknown) => reason);
  expect(reported).toStrictEqual([error]);
  expect(queue.pending).toBe(0);
  throw error;
}

async function steps(iterable: AsyncIterable<unknown>): Promise<void> {
  for await (const _ of iterable) expect.unreachable();
}

const wrongAwards: [string, unknown[]][] = [
  ["platformId missing", []],
  ["platformId a number", [5, 5]],
  ["platformId empty", ["", 5]],
  ["platformId ..", ["..", 5]],
  ["platformId with a slash", ["a/b", 5]],
  ["platformId of 65 characters", ["a".repeat(65), 5]],
  ["platformId a symbol with a cause", [Symbol("p"), 5, { cause: "c" }]],
  ["amount missing", ["p"]],
  ["amount a string", ["p", "5"]],
  ["amount 1.5", ["p", 1.5]],
  ["amount NaN", ["p", Number.NaN]],
  ["amount infinite", ["p", Infinity]],
  ["amount beyond the safe integers", ["p", 2 ** 53]],
  ["amount a bigint", ["p", 5n]],
  ["options null", ["p", 5, null]],
  ["options a string", ["p", 5, "won"]],
  ["reason a number", ["p", 5, { reason: 5 }]],
  ["reason with NUL", ["p", 5, { reason: "a\0b" }]],
  ["reason with a lone surrogate", ["p", 5, { reason: "\ud83d" }]],
  ["source a string", ["p", 5, { source: "place" }]],
  ["source null", ["p", 5, { source: null }]],
  ["source with a lone surrogate", ["p", 5, { source: { matchId: "\udc00" } }]],
  ["source with an object", ["p", 5, { source: { matchId: {} } }]],
  ["cause empty", ["p", 5, { cause: "" }]],
  ["cause of 191 characters", ["p", 5, { cause: "c".repeat(191) }]],
  ["cause with a space", ["p", 5, { cause: "match 81" }]],
  ["cause with a quote", ["p", 5, { cause: 'match"81' }]],
  ["cause not ASCII", ["p", 5, { cause: "mätch" }]],
  ["cause a symbol", ["p", 5, { cause: Symbol("c") }]],
  ["cause without a string form", ["p", 5, { cause: Object.create(null) }]],
  ["an invalid cause with a valid idempotencyKey", ["p", 5, { cause: 5, idempotencyKey: "k" }]],
  ["idempotencyKey empty", ["p", 5, { idempotencyKey: "" }]],
  ["idempotencyKey null", ["p", 5, { idempotencyKey: null }]],
  ["idempotencyKey of 256 characters", ["p", 5, { idempotencyKey: "k".repeat(256) }]],
  ["idempotencyKey with a backslash", ["p", 5, { idempotencyKey: "a\\b" }]],
  ["idempotencyKey with a control character", ["p", 5, { idempotencyKey: "a\nb" }]],
];

const others: [string, () => Promise<unknown>][] = [
  ["no entries", () => clan.awards([])],
  ["101 entries", () => clan.awards(Array.from({ length: 101 }, () => ({ platformId: "p", amount: 5 })))],
  ["entries that are not an array", () => clan.awards({ platformId: "p", amount: 5 })],
  ["an entry that is null", () => clan.awards([null])],
  ["one invalid entry", () => clan.awards([{ platformId: "p", amount: 5 }, { platformId: "p" }])],
  ["member ..", () => clan.member("..")],
  ["sort by rank", () => steps(clan.members({ sort: "rank" }))],
  ["pageSize 0", () => steps(clan.members({ pageSize: 0 }))],
  ["pageSize 201", () => steps(clan.ledger("p", { pageSize: 201 }))],
  ["ledger of an empty platformId", () => steps(clan.ledger(""))],
  ["batch that is not an array", () => clan.submitBatch({})],
  ["a batch with platformId ..", () => clan.submitBatch([{ platformId: "..", amount: 5 }])],
  ["a batch with amount 1.5", () => clan.submitBatch([{ platformId: "p", amount: 1.5 }])],
  ["a batch with a bigint", () => clan.submitBatch([{ platformId: "p", amount: 5n }])],
  ["a batch with null", () => clan.submitBatch([{ platformId: "p", amount: 5 }, null])],
  ["waitS 31", () => clan.submitBatch([], { waitS: 31 })],
  ["batchId with a path traversal", () => clan.batch("../x")],
  ["by missing", () => clan.previewReversal()],
  ["by a string", () => clan.reverse("awd_1")],
  ["by platformId ..", () => clan.reverse({ platformId: "..", awardId: "awd_1" })],
  ["by an awardId that is a number", () => clan.reverse({ platformId: "p", awardId: 1 })],
  ["preview by platformId ..", () => clan.previewReversal({ platformId: "..", from: "2026-11-22T00:00:00Z" })],
  ["preview by a bigint", () => clan.previewReversal({ batchId: 5n })],
  ["reason of a reversal with NUL", () => clan.reverse({ batchId: "b" }, { reason: "\0" })],
  ["reversalId empty", () => clan.reversal("")],
  ["timeoutMs negative", () => clan.clan({ timeoutMs: -1 })],
  ["deadlineMs NaN", () => clan.clan({ deadlineMs: Number.NaN })],
  ["retries a string", () => clan.clan({ retries: "3" })],
  ["close deadlineMs negative", () => clan.queue().close({ deadlineMs: -1 })],
];

test.each([
  ...wrongAwards.map(([name, args]) => [`award: ${name}`, () => clan.award(...args)] as const),
  ...wrongAwards.map(([name, args]) => [`add: ${name}`, () => addReported(args)] as const),
  ...others,
])("%s rejects the promise with invalid_argument", async (_name, act) => {
  await expect(act()).rejects.toThrow(
    expect.objectContaining({ name: "ClanXpError", code: "invalid_argument", retryable: false, attempts: 0 }),
  );
});

test("invalid arguments cause no request", () => {
  expect(sent).toBe(0);
});

test.each([
  ["baseUrl without a scheme", { baseUrl: "xp.example.com" }],
  ["baseUrl with a password", { baseUrl: "http://a:b@xp.example.com" }],
  ["baseUrl with a query", { baseUrl: "http://xp.example.com?x" }],
  ["clanId with a slash", { clanId: "a/b" }],
  ["no apiKey", { apiKey: "" }],
  ["fetch that is no function", { fetch: 5 }],
  ["retries -1", { retries: -1 }],
])("a client with %s throws immediately", (_name, wrong) => {
  expect(() => new ClanXp({ ...options, ...wrong } as any)).toThrow(ClanXpError);
});

test.each([
  { maxEntries: 101 },
  { maxEntries: 0 },
  { maxPending: 0 },
  { flushMs: -1 },
  { deadlineMs: "1" },
  { onDropped: 5 },
  null,
])("a queue with %j throws immediately", (wrong) => {
  expect(() => clan.queue(wrong)).toThrow(expect.objectContaining({ code: "invalid_argument" }));
});
