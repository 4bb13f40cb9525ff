import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { callerOf, type Caller } from "../../support/http.ts";
import { makeWorld, type World } from "../../support/world.ts";

describe("POST …/members/{platformId}/xp", () => {
  let world: World;
  let port: number;
  beforeAll(async () => {
    world = await makeWorld();
    ({ port } = await world.startApi());
  });
  afterAll(() => world.close());

  async function clanCaller(changes = {}): Promise<{ caller: Caller; path: (platformId: string) => string; clanId: string }> {
    const { clan, key } = await world.makeClan(changes);
    return { caller: callerOf(port, key), path: (platformId) => `/v0/clans/${clan.clanId}/members/${platformId}/xp`, clanId: clan.clanId };
  }

  test("answers exactly platformId, xp as a decimal string, and rank", async () => {
    const { caller, path } = await clanCaller();
    const reply = await caller.post(path("123"), { amount: 25, reason: "won a match" });
    expect(reply.status).toBe(200);
    expect(reply.body).toStrictEqual({ platformId: "123", xp: "25", rank: "Guest" });
  });

  test("tells the change when asked: the award that reaches the first NORMAL rank creates the membership", async () => {
    const { caller, path } = await clanCaller();
    await caller.post(path("1"), { amount: 60 });
    const reply = await caller.post(`${path("1")}?include=change`, { amount: 60 });
    expect(reply.body).toStrictEqual({
      platformId: "1",
      xp: "120",
      rank: "Recruit",
      change: {
        awardId: expect.stringMatching(/^awd_/),
        amount: "60",
        applied: "60",
        previousXp: "60",
        previousRank: "Guest",
        rankChanged: true,
        membershipCreated: true,
        nextRank: "Veteran",
        xpToNextRank: "880",
      },
    });
  });

  test("the same key and payload get the first answer again, quoted or bare, and XP moves once", async () => {
    const { caller, path } = await clanCaller();
    const award = { amount: 40, source: {} };
    const first = await caller.post(path("1"), award, { "idempotency-key": "match-7" });
    await caller.post(path("1"), { amount: 1 });
    const again = await caller.post(path("1"), { amount: 40 }, { "idempotency-key": '"match-7"' });
    expect(first.headers.get("idempotency-replayed")).toBeNull();
    expect(again.headers.get("idempotency-replayed")).toBe("true");
    expect(again.body).toStrictEqual(first.body);
    expect((await caller.post(path("1"), { amount: 0 })).body.xp).toBe("41");
  });

  test("64 callers on one member, on two processes, half of them the same key on both at once: the sum is exact, pairs agree", async () => {
    const { clan, key } = await world.makeClan();
    const second = await world.startApi();
    const callers = [callerOf(port, key), callerOf(second.port, key)] as const;
    const path = `/v0/clans/${clan.clanId}/members/hot/xp?include=change`;
    const rounds = Array.from({ length: 16 }, (_, round) => round);
    const replies = await Promise.all(
      rounds.map(async (round) => {
        const [pairs, singles] = await Promise.all([
          Promise.all(callers.map((caller) => caller.post(path, { amount: 3 }, { "idempotency-key": `pair-${round}` }))),
          Promise.all(callers.map((caller) => caller.post(path, { amount: 5 }))),
        ]);
        return { pairs, singles };
      }),
    );
    for (const { pairs, singles } of replies) {
      expect([...pairs, ...singles].map((reply) => reply.status)).toStrictEqual([200, 200, 200, 200]);
      expect(pairs[0]?.body).toStrictEqual(pairs[1]?.body);
      expect(pairs.filter((reply) => reply.headers.get("idempotency-replayed") === "true")).toHaveLength(1);
    }
    const created = replies
      .flatMap(({ singles, pairs }) => [...singles, ...pairs.slice(0, 1)])
      .filter((reply) => reply.body.change.membershipCreated);
    expect(created).toHaveLength(1);
    expect((await world.members.read({ clanId: clan.clanId, platformId: "hot" }))?.xp).toBe(16n * 3n + 32n * 5n);
  });
});
