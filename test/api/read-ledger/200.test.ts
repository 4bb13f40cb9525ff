import { describe, expect, test } from "vitest";
import { expectResponse } from "../../support/responses.ts";
import { makeClanCaller, PATIENT, type ClanCaller } from "../../support/clan-caller.ts";
import { useApi } from "../../support/use-api.ts";

describe("GET …/members/{platformId}/ledger", async () => {
  const { world, port } = await useApi({ worker: true });

  async function entriesOf(clan: ClanCaller, query = ""): Promise<any[]> {
    return expectResponse("read-ledger", await clan.get(`/members/m/ledger${query}`)).entries;
  }

  test("returns each entry completely, newest first, with reason, source and batchId only if they exist", async () => {
    const clan = await makeClanCaller(world, port);
    const { keyId, secret } = await world.makeKey(clan.clanId);
    const beforeMs = Date.now();
    const source = { placeId: "p", matchId: "m", verified: false };
    await clan.with(secret).post("/members/m/xp", { amount: 150, reason: "why", source });
    await clan.with(secret).post("/members/m/xp", { amount: -200, source: {} });
    const batch = { awards: [{ platformId: "m", amount: 7 }] };
    const accepted = await clan.with(secret).post("/xp", batch, { prefer: "respond-async" });
    const { batchId } = expectResponse("submit-batch", accepted, 202);
    await expect.poll(async () => (await clan.get(`/batches/${batchId}`)).body.status).toBe("done");

    const entries = await entriesOf(clan);
    const common = { awardId: expect.stringMatching(/^\S+$/), at: expect.any(String), keyId, rank: "Recruit" };
    const unlimited = { ...common, limitedBy: null };
    expect(entries).toStrictEqual([
      { ...unlimited, amount: "7", applied: "7", xp: "7", batchId, membershipCreated: false },
      { ...common, amount: "-200", applied: "-150", limitedBy: "floor", xp: "0", membershipCreated: false },
      { ...unlimited, amount: "150", applied: "150", xp: "150", reason: "why", source, membershipCreated: true },
    ]);
    for (const { at } of entries) {
      expect(new Date(at).toISOString()).toBe(at);
      expect(Date.parse(at)).toBeGreaterThanOrEqual(beforeMs);
    }
    expect(new Set(entries.map((entry) => entry.awardId)).size).toBe(3);
  });

  test("returns an entry as it was written, regardless of later changes of the ranks", async () => {
    const clan = await makeClanCaller(world, port);
    await clan.award("m", { amount: 150 });
    const before = await entriesOf(clan);
    await clan.change({ ranks: [{ name: "Visitor", kind: "GUEST" }] });
    expect(await entriesOf(clan)).toStrictEqual(before);
  });

  test("returns the membership and its kind for a manually added member without an award", async () => {
    const clan = await makeClanCaller(world, port);
    await world.members.join({ clanId: clan.clanId, platformId: "m" }, new Date(), "Officer");
    await clan.award("m", { amount: 5 });
    const [award, appointment, membership] = await entriesOf(clan);
    expect(award).not.toHaveProperty("kind");
    const none = { amount: "0", applied: "0", xp: "0" };
    expect(appointment).toMatchObject({ ...none, kind: "appointment", rank: "Officer", membershipCreated: false });
    expect(membership).toMatchObject({ ...none, kind: "membership", rank: "Recruit", membershipCreated: true });
  });

  test("returns pages of 50 by default, which together contain every entry exactly once, newest first", async () => {
    const clan = await makeClanCaller(world, port);
    const awards = Array.from({ length: 205 }, () => ({ platformId: "m", amount: 1 }));
    expectResponse("submit-batch", await clan.submit(awards, PATIENT));
    await clan.award("m2", { amount: 5 });
    expect(await entriesOf(clan)).toHaveLength(50);
    expect(await entriesOf(clan, "?limit=200")).toHaveLength(200);
    for (const limit of [17, 41, 200]) {
      const xp: string[] = [];
      for (let cursor: string | null = ""; cursor !== null;) {
        const reply = await clan.get(`/members/m/ledger?limit=${limit}${cursor && `&cursor=${cursor}`}`);
        const page: any = expectResponse("read-ledger", reply);
        xp.push(...page.entries.map((entry: any) => entry.xp));
        cursor = page.nextCursor;
      }
      expect(xp).toStrictEqual(Array.from({ length: 205 }, (_, index) => String(205 - index)));
    }
  });

  test("continues after the cursor although newer entries were added", async () => {
    const clan = await makeClanCaller(world, port);
    for (let times = 0; times < 4; times += 1) await clan.award("m", { amount: 1 });
    const { nextCursor } = expectResponse("read-ledger", await clan.get("/members/m/ledger?limit=2"));
    await clan.award("m", { amount: 1 });
    expect((await entriesOf(clan, `?limit=2&cursor=${nextCursor}`)).map((entry) => entry.xp)).toStrictEqual(["2", "1"]);
  });
});
