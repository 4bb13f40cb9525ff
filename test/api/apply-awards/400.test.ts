import { expect, test } from "vitest";
import { expectResponse, expectProblem } from "../../support/responses.ts";
import { makeClanCaller } from "../../support/clan-caller.ts";
import { useApi } from "../../support/use-api.ts";

const { world, port, clan } = await useApi();

/** The bodies differ from this one in one place; its first award must not be applied. */
const good = { platformId: "m", amount: 1 };
const bodies: [string, unknown, string[]][] = [
  ["not an object", [good], [""]],
  ["no awards", {}, ["/awards"]],
  ["awards that are not a list", { awards: good }, ["/awards"]],
  ["an empty list", { awards: [] }, ["/awards"]],
  ["an unknown field beside the list", { awards: [good], dryRun: true }, ["/dryRun"]],
  ["an award that is not an object", { awards: [good, 5, null] }, ["/awards/1", "/awards/2"]],
  ["missing fields", { awards: [good, {}] }, ["/awards/1/platformId", "/awards/1/amount"]],
  [
    "unknown fields",
    { awards: [good, { ...good, reson: "", source: { place: "" } }] },
    ["/awards/1/source/place", "/awards/1/reson"],
  ],
  [
    "amounts",
    { awards: [good, ...[1.5, "5", null, 1e16, -1e16, 1e12 + 1, -1e12 - 1].map((amount) => ({ ...good, amount }))] },
    [1, 2, 3, 4, 5, 6, 7].map((index) => `/awards/${index}/amount`),
  ],
  [
    "an amount that no clan permits, beside other faults",
    { awards: [good, { platformId: "m", amount: 1e12 + 1 }, { ...good, reason: 5 }] },
    ["/awards/1/amount", "/awards/2/reason"],
  ],
  [
    "platformIds",
    { awards: [good, ...["", "a b", "..", "x".repeat(65), 5].map((platformId) => ({ platformId, amount: 1 }))] },
    [1, 2, 3, 4, 5].map((index) => `/awards/${index}/platformId`),
  ],
  [
    "idempotency keys",
    { awards: [good, ...["", "x".repeat(256), "é", 5, null].map((idempotencyKey) => ({ ...good, idempotencyKey }))] },
    [1, 2, 3, 4, 5].map((index) => `/awards/${index}/idempotencyKey`),
  ],
  [
    "a reason and a source",
    { awards: [good, { ...good, reason: "x".repeat(501), source: 5 }] },
    ["/awards/1/reason", "/awards/1/source"],
  ],
];
test.for(bodies)(
  "POST …/awards returns 400 with a pointer to every fault, and applies nothing: %s",
  async ([, body, pointers]) => {
    const { errors } = expectProblem(await clan.post("/awards", body), 400, "invalid_request");
    expect(errors?.map(({ pointer }) => pointer).toSorted()).toStrictEqual(pointers.toSorted());
    expectProblem(await clan.get("/members/m"), 404, "member_not_found");
  },
);

test("POST …/awards returns a pointer to every fault of 100 awards", async () => {
  const awards = Array.from({ length: 100 }, () => ({ amount: "5", reason: 5 }));
  const { errors } = expectProblem(await clan.awards(awards), 400, "invalid_request");
  expect(errors).toHaveLength(300);
});

test("POST …/awards returns 400 for amounts beyond the clan's bound, with a pointer each, except for replays", async () => {
  const bounded = await makeClanCaller(world, port, { amountMax: 50 });
  const applied = { platformId: "old", amount: 40, idempotencyKey: "k" };
  expectResponse("apply-awards", await bounded.awards([applied]));
  await bounded.change({ amountMax: 20 });
  const awards = [
    good,
    applied,
    { platformId: "m", amount: -21 },
    { ...applied, idempotencyKey: "other" },
    { ...applied, amount: 41 },
  ];
  const { errors } = expectProblem(await bounded.awards(awards), 400, "invalid_request");
  expect(errors?.map(({ pointer }) => pointer)).toStrictEqual([2, 3, 4].map((index) => `/awards/${index}/amount`));
  expectProblem(await bounded.get("/members/m"), 404, "member_not_found");
  expect(expectResponse("apply-awards", await bounded.awards([good, applied])).results).toMatchObject([
    { status: "applied" },
    { status: "replayed", xp: "40" },
  ]);
});

test("POST …/awards rejects the Idempotency-Key header, which would name the whole call", async () => {
  for (const key of ["k", '"k"', ""]) {
    expectProblem(await clan.post("/awards", { awards: [good] }, { "idempotency-key": key }), 400, "invalid_request");
  }
  expectProblem(await clan.get("/members/m"), 404, "member_not_found");
});

test("POST …/awards rejects every value of include other than `change`", async () => {
  expectProblem(await clan.post("/awards?include=all", { awards: [good] }), 400, "invalid_request");
  expectProblem(await clan.post("/awards?dryRun=true", { awards: [good] }), 400, "invalid_request");
});

test("POST …/awards returns 413 too_many_awards past 100 awards, and body_too_large past 256 KiB", async () => {
  const awards = Array.from({ length: 101 }, () => good);
  expectProblem(await clan.awards(awards), 413, "too_many_awards");
  expectProblem(await clan.post("/awards", { awards: [...awards, 5], x: 1 }), 413, "too_many_awards");
  const deep = JSON.parse(`${"[".repeat(8)}${"]".repeat(8)}`);
  expectProblem(await clan.post("/awards", { awards, deep }), 413, "too_many_awards");
  const large = awards.slice(0, 100).map((award) => ({ ...award, reason: "x".repeat(2_700) }));
  expectProblem(await clan.awards(large), 413, "body_too_large");
  expectProblem(await clan.get("/members/m"), 404, "member_not_found");
});
