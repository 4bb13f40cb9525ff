// Members, batches, the audit log and reversals as the pages get them: what is stored, in pages, of one clan alone.
// Roles: access.test.ts.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makeAuditStore } from "#store/audit-store.ts";
import { makeClanCaller, type ClanCaller } from "../support/clan-caller.ts";
import { until } from "../support/until.ts";
import { makeDashboardWorld, type DashboardWorld, type Visitor } from "./dashboard-world.ts";

let dashboard: DashboardWorld;
let clan: ClanCaller;
let api: string;
let owner: Visitor;
/** Owner of another clan, whose endpoints begin with `otherApi`. */
let eve: Visitor;
let otherApi: string;
beforeAll(async () => {
  dashboard = await makeDashboardWorld();
  const { world } = dashboard;
  const { port } = await world.startApi();
  await world.startWorker();
  clan = await makeClanCaller(world, port);
  const otherClanId = (await world.makeClan()).clan.clanId;
  [api, otherApi] = [`/api/clans/${clan.clanId}`, `/api/clans/${otherClanId}`];
  owner = await dashboard.signedIn("ada", "--clan", clan.clanId, "--role", "owner");
  eve = await dashboard.signedIn("eve", "--clan", otherClanId, "--role", "owner");
});
afterAll(() => dashboard.close());

/** All pages of a list, as they came. */
async function pagesOf(person: Visitor, path: string): Promise<any[]> {
  const pages: any[] = [];
  for (let cursor: string | null = ""; cursor !== null;) {
    const { status, body }: { status: number; body: any } = await person.get(
      cursor === "" ? path : `${path}?cursor=${cursor}`,
    );
    expect(status).toBe(200);
    pages.push(body);
    cursor = body.nextCursor;
  }
  return pages;
}

function cursorOf(...position: unknown[]): string {
  return Buffer.from(JSON.stringify(position)).toString("base64url");
}

describe("members", () => {
  test("have in a search the position that they have in the leaderboard, and each list continues in its own order alone", async () => {
    const { clanId } = (await dashboard.world.makeClan()).clan;
    const viewer = await dashboard.signedIn("mia", "--clan", clanId, "--role", "viewer");
    const members = `/api/clans/${clanId}/members`;
    // Three of each XP. In the order of platformIds they stand otherwise than by XP.
    const docs = Array.from({ length: 120 }, (_, index) => {
      const platformId = `p${String((index * 7) % 120).padStart(3, "0")}`;
      return {
        _id: `${clanId}/${platformId}`,
        clanId,
        platformId,
        xp: BigInt(Math.floor(index / 3)),
        seq: 1,
        membership: null,
      };
    });
    await dashboard.world.database.db().collection<{ _id: string }>("members").insertMany(docs);
    const leaderboard: string[] = (await pagesOf(viewer, members)).flatMap((page) =>
      page.members.map((member: any) => member.platformId),
    );
    expect(leaderboard).toHaveLength(120);
    const found: any[] = [];
    for (let cursor = ""; found.length < 100;) {
      const { body } = await viewer.get(`${members}?search=p${cursor}`);
      found.push(...body.members);
      cursor = `&cursor=${body.nextCursor}`;
    }
    expect(found.map(({ platformId }) => platformId)).toEqual(leaderboard.toSorted().slice(0, 100));
    expect(found.map(({ position }) => position)).toEqual(
      found.map(({ platformId }) => leaderboard.indexOf(platformId) + 1),
    );

    const ofLeaderboard = (await viewer.get(members)).body.nextCursor;
    expect((await viewer.get(`${members}?search=p&cursor=${ofLeaderboard}`)).body.code).toBe("invalid_request");
  });
});

test("a change of XP that is repeated is answered as it was applied, also when the clan's bound has been lowered since", async () => {
  const { clanId } = (await dashboard.world.makeClan()).clan;
  const bo = await dashboard.signedIn("bo", "--clan", clanId, "--role", "owner");
  const path = `/api/clans/${clanId}/members/repeated/xp`;
  const change = { amount: 500, reason: "event", changeId: crypto.randomUUID() };
  const first = await bo.post(path, change);
  expect(first.status).toBe(200);
  await dashboard.cli.json("clan", "set", clanId, "--amount-max", "100");
  // The new bound acts within a second.
  const other = () => bo.post(path, { ...change, changeId: crypto.randomUUID() });
  await until(async () => (await other()).status === 400);
  expect(await bo.post(path, change)).toMatchObject({ status: 200, body: first.body });
  // Another change under the same id is no repetition.
  expect((await bo.post(path, { ...change, reason: "other" })).body.code).toBe("invalid_request");
});

describe("batches", () => {
  const records = () => dashboard.world.database.db().collection<{ _id: string }>("batches");

  test("are listed newest first, each once, in pages that an index serves; those of other clans are not", async () => {
    const { clanId } = (await dashboard.world.makeClan()).clan;
    const viewer = await dashboard.signedIn("vic", "--clan", clanId, "--role", "viewer");
    expect((await viewer.get(`/api/clans/${clanId}/batches`)).body).toEqual({ batches: [], nextCursor: null });

    const outcomes = [
      { platformId: "a", xp: 1n, rank: "Guest" },
      { platformId: null, code: "invalid_request", detail: "" },
    ];
    // Three of them in each moment.
    const timeOf = (index: number) => new Date(Date.UTC(2026, 0, 1) + Math.floor(index / 3));
    const idOf = (index: number) => `bat_listed${String(index).padStart(2, "0")}`;
    const facts = { clanId, apiKeyId: "k", fingerprint: "", awards: [{}, {}], awardCount: 2, state: "done", outcomes };
    await records().insertMany(
      Array.from({ length: 60 }, (_, index) => {
        const at = timeOf(index);
        return { _id: idOf(index), ...facts, createdAt: at, startedAt: at, finishedAt: at };
      }),
    );
    const pages = await pagesOf(viewer, `/api/clans/${clanId}/batches`);
    expect(pages.map(({ batches }) => batches.length)).toEqual([25, 25, 10]);
    const batches = pages.flatMap((page) => page.batches);
    expect(batches.map(({ batchId }: any) => batchId)).toEqual(
      Array.from({ length: 60 }, (_, index) => idOf(59 - index)),
    );
    const at = timeOf(59).toISOString();
    expect(batches[0]).toEqual({
      batchId: idOf(59),
      status: "done",
      cancelled: false,
      awards: 2,
      applied: 1,
      createdAt: at,
      finishedAt: at,
    });
    expect(await pagesOf(eve, `${otherApi}/batches`)).toEqual([{ batches: [], nextCursor: null }]);

    const ofClan = records().find({ clanId, createdAt: { $lte: timeOf(30) } });
    const { queryPlanner } = (await ofClan.sort({ createdAt: -1, _id: -1 }).explain("queryPlanner")) as any;
    const plan = JSON.stringify(queryPlanner.winningPlan);
    expect(plan).toContain("IXSCAN");
    expect(plan).not.toMatch(/COLLSCAN|"SORT"/);
  });

  test("have the results that the API shows, and say when these are no longer stored; no other clan can read them", async () => {
    await clan.award("batched", { amount: 1 });
    const { body } = await clan.submit(
      [{ platformId: "batched", amount: 5 }, { platformId: "nobody-yet", amount: 5 }, 7],
      {
        prefer: "respond-async",
      },
    );
    const read = async () => (await owner.get(`${api}/batches/${body.batchId}`)).body;
    await until(async () => (await read()).status === "done");
    const state = (await clan.get(`/batches/${body.batchId}`)).body;
    expect(state.results).toHaveLength(3);
    expect(await read()).toEqual({ ...state, cancelled: false, awards: 3, hasResults: true });
    const [listed] = (await owner.get(`${api}/batches`)).body.batches;
    expect(listed).toMatchObject({ batchId: body.batchId, status: "done", awards: 3, applied: state.applied });
    expect((await eve.get(`${otherApi}/batches/${body.batchId}`)).body.code).toBe("not_found");

    await records().updateOne(
      { _id: body.batchId },
      { $set: { appliedOnce: state.applied }, $unset: { awards: "", outcomes: "" } },
    );
    expect(await read()).toMatchObject({ applied: state.applied, results: [], awards: null, hasResults: false });
  });

  test.each(["x", cursorOf("2026-01-01T00:00:00.000Z"), cursorOf("yesterday", "bat_1"), cursorOf(1, 2)])(
    "reject the cursor %s",
    async (cursor) => {
      expect((await owner.get(`${api}/batches?cursor=${cursor}`)).body.code).toBe("invalid_request");
    },
  );
});

describe("the audit log", () => {
  test("has every change of the clan with its actor, newest first, each once over all pages, and none of another clan", async () => {
    const changed = await owner.post(`${api}/members/audited/xp`, {
      amount: 20,
      reason: "event",
      changeId: crypto.randomUUID(),
    });
    expect(changed.status).toBe(200);
    const change = {
      action: "clan.set",
      clanId: clan.clanId,
      target: clan.clanId,
      before: { name: "a" },
      after: { name: "b" },
    } as const;
    // Several in each moment.
    const timeOf = (index: number) => new Date(Date.UTC(2026, 0, 1) + Math.floor(index / 4));
    await dashboard.world.database.models.audit.insertMany(
      Array.from({ length: 120 }, (_, index) => ({
        actor: "somebody",
        via: "cli" as const,
        ...change,
        at: timeOf(index),
      })),
    );
    const pages = await pagesOf(owner, `${api}/audit`);
    expect(pages.length).toBeGreaterThan(2);
    const records = pages.flatMap((page) => page.records);
    const filter = { clanId: clan.clanId, actor: null, action: null, from: null, to: null };
    const stored = await makeAuditStore(dashboard.world.database).list(filter, { limit: 1_000, after: null });
    expect(stored.items.length).toBeGreaterThan(120);
    expect(records.map((record: object) => ({ ...record, clanId: clan.clanId }))).toEqual(
      stored.items.map((record) => ({ ...record, at: record.at.toISOString() })),
    );

    const others = (await pagesOf(eve, `${otherApi}/audit`)).flatMap((page) => page.records);
    expect(others.length).toBeGreaterThan(0);
    expect(others.filter(({ target }: any) => target === clan.clanId || target === "audited")).toEqual([]);
  });

  test("is filtered by actor and by action", async () => {
    await owner.post(`${api}/members/filtered/xp`, { amount: 21, reason: "event", changeId: crypto.randomUUID() });
    const [newest] = (await owner.get(`${api}/audit?actor=ada&action=member.award`)).body.records;
    expect(newest).toMatchObject({
      actor: "ada",
      via: "dashboard",
      action: "member.award",
      target: "filtered",
      after: { xp: "21" },
    });
    const byAda = (await owner.get(`${api}/audit?actor=ada`)).body.records;
    expect(new Set(byAda.map(({ actor }: any) => actor))).toEqual(new Set(["ada"]));
    expect((await owner.get(`${api}/audit?actor=nobody`)).body).toEqual({ records: [], nextCursor: null });
    for (const query of ["action=none.such", "actor=", "actor=%00", `clanId=${clan.clanId}`]) {
      expect((await owner.get(`${api}/audit?${query}`)).body.code).toBe("invalid_request");
    }
  });

  test.each(["x", cursorOf("2026-01-01T00:00:00.000Z", "no-id"), cursorOf("yesterday", "0".repeat(24))])(
    "rejects the cursor %s",
    async (cursor) => {
      expect((await owner.get(`${api}/audit?cursor=${cursor}`)).body.code).toBe("invalid_request");
    },
  );
});

describe("reversing an award", () => {
  const awardPath = (platformId: string, awardId: string) => `${api}/members/${platformId}/awards/${awardId}/reversal`;
  const ledgerOf = async (platformId: string) => (await owner.get(`${api}/members/${platformId}/ledger`)).body.entries;
  async function newAward(platformId: string): Promise<string> {
    return (await clan.awardChange(platformId, { amount: 50, reason: "match" })).body.change.awardId;
  }

  test("says what it would take back, takes it back once in the person's name, and shows in the ledger on both entries", async () => {
    const path = awardPath("cheater", await newAward("cheater"));
    expect((await owner.get(path)).body).toEqual({ awards: 1, members: 1, amount: "50" });
    const accepted = await owner.post(path, { reason: " cheated " });
    expect([accepted.status, accepted.body.status]).toEqual([200, "queued"]);

    const { reversalId } = accepted.body;
    const read = async () => (await owner.get(`${api}/reversals/${reversalId}`)).body;
    await until(async () => (await read()).status === "done");
    expect(await read()).toMatchObject({ reason: "cheated", selected: 1, reversed: 1, skipped: 0 });
    const [reversal, award] = await ledgerOf("cheater");
    expect(reversal).toMatchObject({
      kind: "reversal",
      applied: "-50",
      xp: "0",
      reason: "cheated",
      reverses: award.awardId,
    });
    expect(award).toMatchObject({ applied: "50", reversedBy: reversal.awardId });

    expect((await owner.get(path)).body.awards).toBe(0);
    expect((await owner.post(path, { reason: null })).body.code).toBe("conflict");
    expect(await ledgerOf("cheater")).toHaveLength(2);
    const records = (await owner.get(`${api}/audit?action=reversal.submit`)).body.records;
    expect(records).toMatchObject([{ actor: "ada", via: "dashboard", target: reversalId }]);
    expect((await eve.get(`${otherApi}/reversals/${reversalId}`)).body.code).toBe("not_found");
  });

  test("changes nothing for an award of another clan, of another member, or of none", async () => {
    const awardId = await newAward("honest");
    const foreign = await eve.post(`${otherApi}/members/honest/awards/${awardId}/reversal`, { reason: null });
    const others = await owner.post(awardPath("cheater", awardId), { reason: null });
    const none = await owner.post(awardPath("honest", "awd_none"), { reason: null });
    expect([foreign.body.code, others.body.code, none.body.code]).toEqual(["conflict", "conflict", "conflict"]);
    expect(await ledgerOf("honest")).toHaveLength(1);
  });
});
