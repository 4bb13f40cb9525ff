import { beforeAll, describe, expect, test } from "vitest";
import { expectResponse, expectProblem } from "../support/responses.ts";
import { makeClanCaller, type ClanCaller } from "../support/clan-caller.ts";
import { expectUnharmed } from "../support/unharmed.ts";
import { useApi } from "../support/use-api.ts";

const { world, port, clan } = await useApi();

describe("the query of an award", () => {
  const bad = {
    "another value": ["include=", "include", "include=Change", "include=changes", "include=change,rank"],
    "a parameter twice, or as a list": ["include=change&include=change", "include[]=change", "x=1&x=2"],
    "an unknown name": ["Include=change", "include=change&x=1", "__proto__=1", "toString=1", "=", "%00", "%zz=%zz"],
  };
  test.for(Object.entries(bad))("is rejected with 400 invalid_request and changes nothing: %s", async ([, queries]) => {
    for (const query of queries)
      expectProblem(await clan.post(`/members/bad/xp?${query}`, { amount: 1 }), 400, "invalid_request");
    await expectUnharmed(clan);
  });

  const asking = ["include=change", "&include=change&", "%69nclude=%63hange", "include=change#fragment"];
  test.for(asking)("requests the change: ?%s", async (query) => {
    const { change } = expectResponse("apply-award", await clan.post(`/members/good/xp?${query}`, { amount: 0 }));
    expect(change).toBeDefined();
  });

  test.for(["", "?", "?&"])("does not request the change: %s", async (query) => {
    const answer = expectResponse("apply-award", await clan.post(`/members/good/xp${query}`, { amount: 0 }));
    expect(Object.keys(answer)).toStrictEqual(["platformId", "xp", "rank"]);
  });
});

describe("limit, sort and cursor of a list", () => {
  let own: ClanCaller;
  const lists = ["/members", "/members/a/ledger"];
  beforeAll(async () => {
    own = await makeClanCaller(world, port);
    for (const platformId of ["a", "b", "a"]) await own.award(platformId, { amount: 1 });
  });

  const badLimits = ["0", "201", "1000", "-1", "", "abc", "1.5", "0x10", "1%20", "%2B1", "١"];
  test.for(badLimits)("are rejected with 400 invalid_request: limit=%s", async (limit) => {
    for (const list of lists) expectProblem(await own.get(`${list}?limit=${limit}`), 400, "invalid_request");
  });

  test.for(["1", "200"])("are accepted: limit=%s", async (limit) => {
    for (const list of lists) expect((await own.get(`${list}?limit=${limit}`)).status).toBe(200);
  });

  const badCursors = ["", "x", "%00", "null", "W10", "e30", "bnVsbA", "WyJ4cCJd", "A".repeat(1_000), "%F0%9F%98%80"];
  const forged: Record<string, unknown[]> = {
    "of another length": [["xp", "1"], ["xp", "1", "a", "b"], ["seq", 1, 1], ["seq"]],
    "with another type": [
      ["xp", 1, "a"],
      ["xp", "1", { $gt: "" }],
      ["seq", "1"],
      ["seq", { $gt: 0 }],
      { 0: "seq", 1: 1 },
    ],
    "with a wrong number": [
      ["xp", "1e3", "a"],
      ["xp", "9223372036854775808", "a"],
      ["xp", "", "a"],
      ["seq", 0],
      ["seq", 1.5],
    ],
    "with another text": [
      ["xp", "1", "no such id/"],
      ["rank", "1", "a"],
    ],
  };
  const cursors = Object.entries(forged).map(([name, positions]): [string, string[]] => [
    name,
    positions.map((position) => Buffer.from(JSON.stringify(position)).toString("base64url")),
  ]);
  test.for([["that is none", badCursors] as const, ...cursors])(
    "are rejected with 400 invalid_request: a cursor %s",
    async ([, texts]) => {
      for (const list of lists)
        for (const cursor of texts) expectProblem(await own.get(`${list}?cursor=${cursor}`), 400, "invalid_request");
    },
  );

  test("are rejected with 400 invalid_request if the cursor is truncated, damaged or of another list or order", async () => {
    const byXp: string = expectResponse("list-members", await own.get("/members?limit=1")).nextCursor;
    const byId: string = expectResponse("list-members", await own.get("/members?limit=1&sort=platformId")).nextCursor;
    const ofLedger: string = expectResponse("read-ledger", await own.get("/members/a/ledger?limit=1")).nextCursor;
    const bad = [
      `/members?cursor=${byXp.slice(0, -1)}`,
      `/members?cursor=${byXp.slice(1)}`,
      `/members?cursor=${byXp}A`,
      `/members?cursor=${byXp}%20`,
      `/members?cursor=${byXp}&cursor=${byXp}`,
      `/members?cursor=${byId}`,
      `/members?sort=xp&cursor=${byId}`,
      `/members?sort=platformId&cursor=${byXp}`,
      `/members?cursor=${ofLedger}`,
      `/members/a/ledger?cursor=${byXp}`,
    ];
    for (const path of bad) expectProblem(await own.get(path), 400, "invalid_request");
    expect(expectResponse("list-members", await own.get(`/members?cursor=${byXp}`)).members).toHaveLength(1);
    const { entries } = expectResponse("read-ledger", await own.get(`/members/a/ledger?cursor=${ofLedger}`));
    expect(entries).toHaveLength(1);
  });

  const sorts = ["sort=", "sort=rank", "sort=XP", "sort=xp,platformId", "sort=xp&sort=xp", "sort[$ne]=xp"];
  test("are rejected with 400 invalid_request for another order, an unknown parameter, or one given twice", async () => {
    for (const query of [...sorts, "order=asc", "__proto__=1", "limit=1&limit=1"])
      expectProblem(await own.get(`/members?${query}`), 400, "invalid_request");
    for (const query of ["sort=xp", "x=1", "include=change"])
      expectProblem(await own.get(`/members/a/ledger?${query}`), 400, "invalid_request");
  });
});

describe("the query of events", () => {
  const bad = {
    limit: ["0", "201", "", "1.5", "1&limit=1"],
    wait: ["-1", "26", "", "1.5", "1s", "100", "1&wait=1"],
    types: ["", ",", "member", "member.", "*", "Member.joined", "member.joined,", "member.joined&types=member.left"],
    after: ["", "Now", "1", "bnVsbA", "e30", "%00", "evt_1", ".evt_1"],
  };
  const internal = ["types=key.*", "types=key.created", "types=destination.*", "types=member.*,key.*"];
  const many = `types=${Array.from({ length: 33 }, () => "member.*").join()}`;
  test("is rejected with 400 invalid_request if it is invalid, or the cursor is damaged or another clan's", async () => {
    const [own, other] = [await makeClanCaller(world, port), await makeClanCaller(world, port)];
    const { cursor } = expectResponse("list-events", await own.get("/events?after=now"));
    const damaged = [cursor.slice(1), cursor.slice(0, -1), `${cursor}=`, `${cursor}.`, `${cursor}.x`, `${cursor}%20`];
    const values = Object.entries({ ...bad, after: [...bad.after, ...damaged] });
    const queries = values.flatMap(([name, texts]) => texts.map((text) => `${name}=${text}`));
    for (const query of [...queries, ...internal, many, "cursor=now", "__proto__=1"]) {
      const reply = await own.get(`/events?${query}`);
      expect([query, reply.status, reply.body.code]).toStrictEqual([query, 400, "invalid_request"]);
    }
    for (const suffix of ["", ".evt_aaaaaaaaaaaaaaaa"])
      expectProblem(await other.get(`/events?after=${cursor}${suffix}`), 400, "invalid_request");
    const good = `?after=${cursor}&wait=0&limit=200&types=member.*`;
    expect(expectResponse("list-events", await own.get(`/events${good}`)).events).toStrictEqual([]);
  });
});
