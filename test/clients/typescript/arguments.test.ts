import { expect, test } from "vitest";
import { ClanXp } from "../../../clients/typescript/src/index.ts";

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
  ["platformId ..", ["..", 5]],
  ["platformId of 65 characters", ["a".repeat(65), 5]],
  ["platformId a symbol with a cause", [Symbol("p"), 5, { cause: "c" }]],
  ["amount missing", ["p"]],
  ["amount a string", ["p", "5"]],
  ["amount 1.5", ["p", 1.5]],
  ["amount beyond the safe integers", ["p", 2 ** 53]],
  ["amount a bigint", ["p", 5n]],
  ["options null", ["p", 5, null]],
  ["an unknown option", ["p", 5, { couse: "match-81" }]],
  ["an unknown option that is undefined", ["p", 5, { couse: undefined }]],
  ["an unknown field of source", ["p", 5, { source: { macthId: "81" } }]],
  ["reason a number", ["p", 5, { reason: 5 }]],
  ["reason with NUL", ["p", 5, { reason: "a\0b" }]],
  ["source a string", ["p", 5, { source: "place" }]],
  ["source with a lone surrogate", ["p", 5, { source: { matchId: "\udc00" } }]],
  ["source with an object", ["p", 5, { source: { matchId: {} } }]],
  ["cause empty", ["p", 5, { cause: "" }]],
  ["cause of 191 characters", ["p", 5, { cause: "c".repeat(191) }]],
  ["cause with a space", ["p", 5, { cause: "match 81" }]],
  ["cause a symbol", ["p", 5, { cause: Symbol("c") }]],
  ["cause without a string form", ["p", 5, { cause: Object.create(null) }]],
  ["an invalid cause with a valid idempotencyKey", ["p", 5, { cause: 5, idempotencyKey: "k" }]],
  ["idempotencyKey null", ["p", 5, { idempotencyKey: null }]],
  ["idempotencyKey of 256 characters", ["p", 5, { idempotencyKey: "k".repeat(256) }]],
  ["idempotencyKey with a backslash", ["p", 5, { idempotencyKey: "a\\b" }]],
];

const others: [string, () => Promise<unknown>][] = [
  ["no entries", () => clan.awards([])],
  ["101 entries", () => clan.awards(Array.from({ length: 101 }, () => ({ platformId: "p", amount: 5 })))],
  ["entries that are not an array", () => clan.awards({ platformId: "p", amount: 5 })],
  ["one invalid entry", () => clan.awards([{ platformId: "p", amount: 5 }, { platformId: "p" }])],
  ["an entry with an unknown field", () => clan.awards([{ platformId: "p", amount: 5, couse: "c" }])],
  ["an entry with the change of a call", () => clan.awards([{ platformId: "p", amount: 5, change: true }])],
  ["member ..", () => clan.member("..")],
  ["sort by rank", () => steps(clan.members({ sort: "rank" }))],
  ["order highest", () => clan.gainsPage({ from: "2026-01-01T00:00:00Z", to: new Date(), order: "highest" })],
  ["from missing", () => steps(clan.gains({ to: new Date() }))],
  ["every year", () => clan.memberGains("p", { every: "year", from: "2026-01-01T00:00:00Z", to: new Date() })],
  ["from no time", () => clan.memberGains("p", { every: "day", from: new Date(Number.NaN), to: new Date() })],
  ["to missing", () => clan.memberGains("p", { every: "day", from: new Date() })],
  ["pageSize 0", () => steps(clan.members({ pageSize: 0 }))],
  ["pageSize 201", () => steps(clan.ledger("p", { pageSize: 201 }))],
  ["batch that is not an array", () => clan.submitBatch({})],
  ["a batch with platformId ..", () => clan.submitBatch([{ platformId: "..", amount: 5 }])],
  ["a batch with amount 1.5", () => clan.submitBatch([{ platformId: "p", amount: 1.5 }])],
  ["a batch with null", () => clan.submitBatch([{ platformId: "p", amount: 5 }, null])],
  ["a batch with a reason", () => clan.submitBatch([{ platformId: "p", amount: 5, reason: "won" }])],
  ["by an unknown field", () => clan.reverse({ platformId: "p", awardID: "awd_1" })],
  ["after a number", () => clan.eventPage({ after: 5 })],
  ["types a string", () => clan.eventPage({ types: "member.*" })],
  ["types empty", () => steps(clan.events({ types: [] }))],
  ["types with a comma", () => clan.eventPage({ types: ["member.joined,member.left"] })],
  ["limit 201", () => clan.eventPage({ limit: 201 })],
  ["waitS 26", () => clan.eventPage({ waitS: 26 })],
  ["waitS 0 of all events", () => steps(clan.events({ waitS: 0 }))],
  ["waitS 31", () => clan.submitBatch([], { waitS: 31 })],
  ["batchId with a path traversal", () => clan.batch("../x")],
  ["by missing", () => clan.previewReversal()],
  ["by platformId ..", () => clan.reverse({ platformId: "..", awardId: "awd_1" })],
  ["by an awardId that is a number", () => clan.reverse({ platformId: "p", awardId: 1 })],
  ["preview by platformId ..", () => clan.previewReversal({ platformId: "..", from: "2026-11-22T00:00:00Z" })],
  ["reason of a reversal with NUL", () => clan.reverse({ batchId: "b" }, { reason: "\0" })],
  ["setNames with a platformId twice", () => clan.setNames(["n", "m"].map((name) => ({ platformId: "p", name })))],
  ["name of a member's read a string", () => clan.member("p", { name: "yes" })],
  ["reversalId empty", () => clan.reversal("")],
  ["timeoutMs negative", () => clan.clan({ timeoutMs: -1 })],
  ["deadlineMs NaN", () => clan.clan({ deadlineMs: Number.NaN })],
  ["retries a string", () => clan.clan({ retries: "3" })],
  ["close deadlineMs negative", () => clan.queue().close({ deadlineMs: -1 })],
];

const methods: [string, (options: object) => Promise<unknown>, string][] = [
  ["award", (given) => clan.award("p", 5, given), "reason, source, cause, idempotencyKey, change"],
  ["awards", (given) => clan.awards([{ platformId: "p", amount: 5 }], given), "change"],
  ["member", (given) => clan.member("p", given), "name, position"],
  ["membersById", (given) => clan.membersById(["p"], given), "name, position"],
  ["around", (given) => clan.around("p", given), "limit, name"],
  ["boards", (given) => clan.boards(given), ""],
  ["standings", (given) => clan.standings("weekly", given), "period, around, platformIds, limit, cursor, name"],
  ["gains", (given) => steps(clan.gains(given)), "from, to, order, around, name"],
  ["gainsPage", (given) => clan.gainsPage(given), "from, to, order, around, name, limit, cursor, platformIds"],
  ["memberGains", (given) => clan.memberGains("p", given), "every, from, to, timeZone"],
  ["members", (given) => steps(clan.members(given)), "sort, pageSize, name, position"],
  ["ledger", (given) => steps(clan.ledger("p", given)), "pageSize"],
  ["events", (given) => steps(clan.events(given)), "after, types, waitS"],
  ["eventPage", (given) => clan.eventPage(given), "after, types, waitS, limit"],
  ["clan", (given) => clan.clan(given), ""],
  ["submitBatch", (given) => clan.submitBatch([], given), "idempotencyKey, waitS"],
  ["batch", (given) => clan.batch("bat_1", given), ""],
  ["previewReversal", (given) => clan.previewReversal({ batchId: "bat_1" }, given), ""],
  ["reverse", (given) => clan.reverse({ batchId: "bat_1" }, given), "reason, idempotencyKey"],
  ["reversal", (given) => clan.reversal("rev_1", given), ""],
];

test.each(methods)("%s rejects an unknown option, and names the ones that it accepts", async (_name, act, accepted) => {
  const all = [accepted, "signal, timeoutMs, deadlineMs, retries"].filter(Boolean).join(", ");
  await expect(act({ timeoutMS: 5 })).rejects.toMatchObject({
    code: "invalid_argument",
    message: `options has no field "timeoutMS". It accepts ${all}.`,
  });
});

test("a client, a queue, add() and close() name the unknown option and the ones that they accept", async () => {
  const message = (act: () => unknown): Promise<string> =>
    Promise.resolve()
      .then(act)
      .then(
        () => "accepted",
        (error: Error) => error.message,
      );
  const queue = clan.queue({ onDropped() {} });
  expect(await message(() => new ClanXp({ ...options, baseURL: options.baseUrl } as any))).toBe(
    'options has no field "baseURL". It accepts baseUrl, clanId, apiKey, fetch, timeoutMs, deadlineMs, retries.',
  );
  expect(await message(() => clan.queue({ flushms: 5 }))).toBe(
    'options has no field "flushms". It accepts flushMs, maxEntries, maxPending, deadlineMs, onDropped.',
  );
  expect(await message(() => queue.add("p", 5, { timeoutMs: 5 }))).toBe(
    'options has no field "timeoutMs". It accepts reason, source, cause, idempotencyKey.',
  );
  expect(await message(() => queue.close({ deadlineMS: 5 }))).toBe(
    'options has no field "deadlineMS". It accepts deadlineMs.',
  );
  expect(await message(() => clan.award("p", 5, { source: { matchID: "81" } }))).toBe(
    'source has no field "matchID". It accepts placeId, matchId, verified.',
  );
});

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

const KEY = options.apiKey;
test.each([
  ["a baseUrl without a scheme", { baseUrl: "localhost:8080" }, /^baseUrl must .*, not "localhost:8080"/],
  ["an undefined baseUrl", { baseUrl: undefined }, /^baseUrl must .*, not undefined/],
  ["a baseUrl that is an object", { baseUrl: Object.create(null) }, /^baseUrl must .*, not object/],
  ["a password in baseUrl", { baseUrl: "http://a:b@xp.example.com" }, /not "http:\/\/\*\*\*@xp\.example\.com"/],
  ["a query in baseUrl", { baseUrl: "http://xp.example.com?x=1" }, /not "http:\/\/xp\.example\.com\?\*\*\*"/],
  ["white space in baseUrl", { baseUrl: "http://xp.example.com\n" }, /not "http:\/\/xp\.example\.com\\n"/],
  ["the key as baseUrl", { baseUrl: KEY }, /not "\*\*\*"/],
  ["another key in baseUrl", { baseUrl: "cxp_other_secret" }, /not "\*\*\*"/],
  ["a clanId with a slash", { clanId: "a/b" }, /^clanId must/],
  ["an undefined apiKey", { apiKey: undefined }, /^apiKey is undefined: is CLANXP_KEY set\?/],
  ["an empty apiKey", { apiKey: "" }, /^apiKey is empty: is CLANXP_KEY set\?/],
  ["an apiKey with a line break", { apiKey: `${KEY}\n` }, /^apiKey has white space/],
  ["an apiKey with a letter that is not ASCII", { apiKey: `${KEY}é` }, /^apiKey has a character that is in no API key/],
  ["an apiKey that is a number", { apiKey: 5 }, /^apiKey is number: is CLANXP_KEY set\?/],
  ["a fetch that is no function", { fetch: 5 }, /^fetch must/],
  ["retries -1", { retries: -1 }, /^retries must/],
])("a client with %s throws immediately, and its error shows no key", (_name, wrong, message) => {
  const created = () => new ClanXp({ ...options, ...wrong } as any);
  expect(created).toThrow(expect.objectContaining({ name: "ClanXpError", code: "invalid_argument" }));
  expect(created).toThrow(message);
  expect(created).not.toThrow(KEY);
  expect(created).not.toThrow("other_secret");
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
