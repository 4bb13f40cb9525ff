import { describe, expect, test } from "vitest";
import { expectResponse, expectProblem } from "../../support/responses.ts";
import { makeClanCaller } from "../../support/clan-caller.ts";
import { useApi } from "../../support/use-api.ts";

const { world, port } = await useApi();
const clan = await makeClanCaller(world, port, {}, ["award", "read", "reverse"]);

const BEFORE = "2020-01-01T00:00:00Z";
const T = "2026-11-22T12:00:00Z";

describe("POST …/reversals accepts exactly the documented selections", () => {
  const good = [
    { platformId: "m", awardId: "awd_x" },
    { batchId: "bat_x" },
    { keyId: "k", from: T },
    { keyId: "k", from: "2026-11-22T14:00:00.123+02:00", to: "2026-11-22T13:00:00-05:00" },
    { matchId: "m" },
    { matchId: "m", to: T },
    { matchId: "m", from: T },
    { platformId: "m", from: T },
    { platformId: "m", from: "2026-11-22t12:00:00.5z", to: "2026-11-22t15:00:00+02:00" },
  ];
  test("and returns a preview of each that matches no awards", async () => {
    for (const by of good) {
      const reply = await clan.post("/reversals", { by, dryRun: true });
      expect(expectResponse("submit-reversal", reply)).toStrictEqual({ awards: 0, members: 0, amount: "0" });
    }
  });

  test("and selects exactly the awards within a time span whose ends are not whole milliseconds", async () => {
    await clan.award("spanned", { amount: 5 });
    const { at } = expectResponse("read-ledger", await clan.get("/members/spanned/ledger")).entries[0] ?? { at: "" };
    const after = (digits: string): string => at.replace("Z", `${digits}Z`);
    const spans: [from: string, to: string, awards: number][] = [
      [after("000"), after("0001"), 1],
      [BEFORE, after(""), 0],
      [BEFORE, after("0001"), 1],
      [after("0001"), "2100-01-01T00:00:00Z", 0],
      [after("1"), after("15"), 0],
    ];
    for (const [from, to, awards] of spans) {
      const reply = await clan.post("/reversals", { by: { platformId: "spanned", from, to }, dryRun: true });
      expect([from, to, expectResponse("submit-reversal", reply)]).toMatchObject([from, to, { awards }]);
    }
  });

  const bad: [name: string, by: unknown, pointer: string][] = [
    ["no selection", undefined, "/by"],
    ["null", null, "/by"],
    ["an empty selection", {}, "/by"],
    ["an incomplete selection", { platformId: "m" }, "/by"],
    ["a key without a time", { keyId: "k" }, "/by/from"],
    ["two kinds of selection", { platformId: "m", awardId: "awd_x", from: T }, "/by"],
    ["an unknown field", { batchId: "b", reason: "x" }, "/by/reason"],
    ["an invalid time", { keyId: "k", from: "yesterday" }, "/by/from"],
    ["a date without a time", { keyId: "k", from: "2026-11-22" }, "/by/from"],
    ["a date that does not exist", { keyId: "k", from: "2026-02-30T12:00:00Z" }, "/by/from"],
    ["a time without a zone", { keyId: "k", from: "2026-11-22T12:00:00" }, "/by/from"],
    ["an end that is not after the beginning", { matchId: "m", from: T, to: T }, "/by/to"],
    [
      "an end before the beginning by less than a millisecond",
      { matchId: "m", from: "2026-11-22T12:00:00.00011Z", to: "2026-11-22T12:00:00.0001Z" },
      "/by/to",
    ],
    ["an invalid platformId", { platformId: "..", from: T }, "/by/platformId"],
    ["an ID that is not a string", { batchId: 5 }, "/by/batchId"],
    ["an ID that is too long", { batchId: "b".repeat(101) }, "/by/batchId"],
    ["an empty ID", { batchId: "" }, "/by/batchId"],
    ["a NUL", { matchId: "\0" }, "/by/matchId"],
  ];
  test.each(bad)("and returns 400 with a pointer for %s", async (_, by, pointer) => {
    const { errors } = expectProblem(await clan.post("/reversals", { by }), 400, "invalid_request");
    expect(errors?.map((fault) => fault.pointer)).toStrictEqual([pointer]);
  });

  test("and returns 400 with a pointer for every other fault of the body", async () => {
    const { errors } = expectProblem(
      await clan.post("/reversals", { by: { batchId: "b" }, reason: 5, dryRun: "yes", x: 1 }),
      400,
      "invalid_request",
    );
    expect(errors?.map((fault) => fault.pointer).toSorted()).toStrictEqual(["/dryRun", "/reason", "/x"]);
    expectProblem(
      await clan.post("/reversals", { by: { batchId: "b" }, reason: "r".repeat(501) }),
      400,
      "invalid_request",
    );
  });
});

test("POST …/reversals returns 503 busy past 100 unfinished reversals of a clan, but answers retries and previews", async () => {
  const body = { by: { batchId: "b" } };
  const first = await clan.post("/reversals", body, { "idempotency-key": "first" });
  const records = world.database.db().collection<{ _id: string }>("reversals");
  const { idempotencyKey: _, ...record } =
    (await records.findOne<{ idempotencyKey: string }>({ _id: first.body.reversalId })) ?? {};
  await records.insertMany(Array.from({ length: 99 }, (__, index) => ({ ...record, _id: `rev_copy${index}` })));
  expectProblem(await clan.post("/reversals", body), 503, "busy");
  expect((await clan.post("/reversals", body, { "idempotency-key": "first" })).body).toStrictEqual(first.body);
  expectResponse("submit-reversal", await clan.post("/reversals", { ...body, dryRun: true }));
  const other = await makeClanCaller(world, port, {}, ["reverse"]);
  expectResponse("submit-reversal", await other.post("/reversals", body), 202);
});
