// Batches, events, the audit log and reversals as the pages get them: what is stored, in pages, of one clan alone.
// Roles: access.test.ts.
import { beforeAll, describe, expect, test } from "vitest";
import { makeAuditStore } from "#store/audit/audit-store.ts";
import { makeClanCaller, type ClanCaller } from "../../support/clan-caller.ts";
import { until } from "../../support/until.ts";
import { type Visitor, useDashboard } from "./dashboard-world.ts";
import { pagesOf } from "./pages-of.ts";

const dashboard = await useDashboard();
let clan: ClanCaller;
let api: string;
let owner: Visitor;
/** Owner of another clan, whose endpoints begin with `otherApi`. */
let eve: Visitor;
let otherApi: string;
beforeAll(async () => {
  const { world } = dashboard;
  const { port } = await world.startApi();
  await world.startWorker();
  clan = await makeClanCaller(world, port);
  const otherClanId = (await world.makeClan()).clan.clanId;
  [api, otherApi] = [`/api/clans/${clan.clanId}`, `/api/clans/${otherClanId}`];
  owner = await dashboard.signedIn("ada", "owner", clan.clanId);
  eve = await dashboard.signedIn("eve", "owner", otherClanId);
});

function cursorOf(...position: unknown[]): string {
  return Buffer.from(JSON.stringify(position)).toString("base64url");
}

describe("the batches of a clan", () => {
  const records = () => dashboard.world.database.db().collection<{ _id: string }>("batches");

  test("are listed newest first, once each, in pages that an index serves, without those of other clans", async () => {
    const { clanId } = (await dashboard.world.makeClan()).clan;
    const viewer = await dashboard.signedIn("vic", "viewer", clanId);
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

  test("have the same results as in the API, or a note that they were deleted, and are hidden from other clans", async () => {
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
    expect(await read()).toEqual({ ...state, cancelled: false, names: {}, awards: 3, hasResults: true });
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
    "are not listed for the invalid cursor %s",
    async (cursor) => {
      expect((await owner.get(`${api}/batches?cursor=${cursor}`)).body.code).toBe("invalid_request");
    },
  );
});

describe("the events of a clan", () => {
  test("are listed newest first, once over all pages, by type and by member, with those that no API key reads", async () => {
    const { world } = dashboard;
    const { clanId } = (await world.makeClan()).clan;
    const viewer = await dashboard.signedIn("vera", "viewer", clanId);
    const path = `/api/clans/${clanId}/events`;
    const read = async (query = "") => (await viewer.get(`${path}${query}`)).body;
    // That of the clan's API key, which a worker numbers.
    await until(async () => (await read()).events.length === 1);
    const [{ type, data }] = (await read()).events;
    expect([type, data.scopes]).toEqual(["key.created", ["award", "deduct", "read"]]);

    const memberEvent = (n: number, platformId: string) => ({
      _id: { clanId, n },
      eventId: `evt_${n}`,
      at: new Date(Date.UTC(2026, 0, 1) + n),
      type: n % 2 === 0 ? "member.joined" : "member.left",
      subject: `member/${platformId}`,
      seq: n,
      data: {
        platformId,
        seq: n,
        xp: 5n,
        rank: "Recruit",
        name: null,
        since: new Date(0),
        ...(n % 2 === 0 ? { cause: "award" } : {}),
      },
    });
    const stored = world.database.db().collection<any>("events");
    await stored.insertMany(
      Array.from({ length: 120 }, (_, index) => memberEvent(index + 2, index % 40 === 0 ? "b-rare" : "a")),
    );
    // One whose content was erased.
    await stored.insertOne({ _id: { clanId, n: 122 }, eventId: "evt_122", at: new Date() });
    const pages = await pagesOf(viewer, path);
    expect(pages.map(({ events }) => events.length)).toEqual([50, 50, 21]);
    const ids = pages.flatMap(({ events }) => events.map(({ id }: any) => id));
    expect(ids.slice(0, -1)).toEqual(Array.from({ length: 120 }, (_, index) => `evt_${121 - index}`));

    const left = (await read("?type=member.left")).events;
    expect(new Set(left.map((event: any) => event.type))).toEqual(new Set(["member.left"]));
    const ofMember = (await read("?search=b-")).events;
    expect(ofMember.map((event: any) => event.data.seq)).toEqual([82, 42, 2]);
    expect((await read("?search=b-&type=member.left")).events).toEqual([]);
    expect((await read("?search=-b")).events).toEqual([]);
    expect((await eve.get(`${otherApi}/events`)).body.events.map(({ id }: any) => id)).not.toContain("evt_121");

    const file = await viewer.get(`${path}.csv`);
    expect(file.headers.get("content-disposition")).toContain(`${clanId}-events.csv`);
    const lines = file.body.trim().split("\n");
    expect([lines.length, lines[0].slice(0, 17)]).toEqual([122, "id,type,timestamp"]);
    expect(lines.at(-1)).toContain("evt_121,member.left");
  });

  test.each(["cursor=x", `cursor=${cursorOf("n", 0)}`, `cursor=${cursorOf("n")}`, "type=member", "search=%20"])(
    "are not listed for %s",
    async (query) => {
      expect((await owner.get(`${api}/events?${query}`)).body.code).toBe("invalid_request");
    },
  );
});

describe("the audit log of a clan", () => {
  test("has every change of the clan with its actor, newest first, once over all pages, and none of another clan", async () => {
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
      stored.items.map((record) => {
        const ofMember = record.target === "audited" ? { member: { platformId: "audited", name: null } } : {};
        return { ...record, ...ofMember, at: record.at.toISOString() };
      }),
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

describe("reversing an award in the dashboard", () => {
  const awardPath = (platformId: string, awardId: string) => `${api}/members/${platformId}/awards/${awardId}/reversal`;
  const ledgerOf = async (platformId: string) => (await owner.get(`${api}/members/${platformId}/ledger`)).body.entries;
  async function newAward(platformId: string): Promise<string> {
    return (await clan.awardChange(platformId, { amount: 50, reason: "match" })).body.change.awardId;
  }

  test("shows a preview, is applied once in the person's name, and appears on both ledger entries", async () => {
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

  test("changes nothing for an award of another clan or member, or for an unknown one", async () => {
    const awardId = await newAward("honest");
    const foreign = await eve.post(`${otherApi}/members/honest/awards/${awardId}/reversal`, { reason: null });
    const others = await owner.post(awardPath("cheater", awardId), { reason: null });
    const none = await owner.post(awardPath("honest", "awd_none"), { reason: null });
    expect([foreign.body.code, others.body.code, none.body.code]).toEqual(["conflict", "conflict", "conflict"]);
    expect(await ledgerOf("honest")).toHaveLength(1);
  });
});
