// Batches, events and reversals as the pages get them: what is stored, in pages, of one clan alone. Roles:
// access.test.ts.
import { describe, expect, test } from "vitest";
import { until } from "../../support/until.ts";
import { pagesOf } from "./pages-of.ts";
import { useClan } from "./use-clan.ts";

const { dashboard, clan, api, owner } = await useClan({ worker: true });
/** Of another clan, whose endpoints begin with `otherApi`. */
const { api: otherApi, person: eve } = await dashboard.newClan("eve");

const cursorOf = (...position: unknown[]): string => Buffer.from(JSON.stringify(position)).toString("base64url");
const AT = "2026-01-01T00:00:00.000Z";

test.for([
  ...["x", cursorOf(AT), cursorOf("yesterday", "bat_1"), cursorOf(1, 2)].map((cursor) => `batches?cursor=${cursor}`),
  ...["x", cursorOf("n", 0), cursorOf("n")].map((cursor) => `events?cursor=${cursor}`),
  ...["type=member", "search=%20"].map((query) => `events?${query}`),
  ...["x", cursorOf(AT, "no-id"), cursorOf("yesterday", "0".repeat(24))].map((cursor) => `audit?cursor=${cursor}`),
  ...["action=none.such", "actor=", "actor=%00", "from=yesterday", "to=2026-01-01"].map((query) => `audit?${query}`),
  "audit.csv?action=none.such",
])("there is no list for an invalid cursor or filter: %s", async (query) => {
  expect((await owner.get(`${api}/${query}`)).body.code).toBe("invalid_request");
});

describe("the batches of a clan", () => {
  const records = () => dashboard.world.database.db().collection<{ _id: string }>("batches");

  test("are listed newest first, once each, in pages that an index serves, without those of other clans", async () => {
    const { clanId, person: reader } = await dashboard.newClan("rea", "viewer");
    const outcomes = [
      { platformId: "a", xp: 1n, rank: "Guest" },
      { platformId: null, code: "invalid_request" },
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
    const pages = await pagesOf(reader, `/api/clans/${clanId}/batches`);
    expect(pages.map(({ batches }) => batches.length)).toEqual([25, 25, 10]);
    const batches = pages.flatMap((page) => page.batches);
    const ids = batches.map(({ batchId }: any) => batchId);
    expect(ids).toEqual(Array.from({ length: 60 }, (_, index) => idOf(59 - index)));
    const at = timeOf(59).toISOString();
    const shown = { status: "done", cancelled: false, awards: 2, applied: 1, createdAt: at, finishedAt: at };
    expect(batches[0]).toEqual({ batchId: idOf(59), ...shown });
    expect(await pagesOf(eve, `${otherApi}/batches`)).toEqual([{ batches: [], nextCursor: null }]);

    const ofClan = records().find({ clanId, createdAt: { $lte: timeOf(30) } });
    const { queryPlanner } = (await ofClan.sort({ createdAt: -1, _id: -1 }).explain("queryPlanner")) as any;
    const plan = JSON.stringify(queryPlanner.winningPlan);
    expect(plan).toContain("IXSCAN");
    expect(plan).not.toMatch(/COLLSCAN|"SORT"/);
  });

  test("have the same results as in the API, or a note that they were deleted, and are hidden from other clans", async () => {
    await clan.award("batched", { amount: 1 });
    const awards = [{ platformId: "batched", amount: 5 }, { platformId: "nobody-yet", amount: 5 }, 7];
    const { body } = await clan.submit(awards, { prefer: "respond-async" });
    const read = async () => (await owner.get(`${api}/batches/${body.batchId}`)).body;
    await until(async () => (await read()).status === "done");
    const state = (await clan.get(`/batches/${body.batchId}`)).body;
    expect(state.results).toHaveLength(3);
    expect(await read()).toEqual({ ...state, cancelled: false, names: {}, awards: 3, hasResults: true });
    const [listed] = (await owner.get(`${api}/batches`)).body.batches;
    expect(listed).toMatchObject({ batchId: body.batchId, status: "done", awards: 3, applied: state.applied });
    expect((await eve.get(`${otherApi}/batches/${body.batchId}`)).body.code).toBe("not_found");

    const reduced = { $set: { appliedOnce: state.applied }, $unset: { awards: "", outcomes: "" } } as const;
    await records().updateOne({ _id: body.batchId }, reduced);
    expect(await read()).toMatchObject({ applied: state.applied, results: [], awards: null, hasResults: false });
  });
});

describe("the events of a clan", () => {
  test("are listed newest first, once over all pages, by type and by member, with those that no API key reads", async () => {
    const { clanId, api: ofClan, person: reader } = await dashboard.newClan("vera", "viewer");
    const path = `${ofClan}/events`;
    const read = async (query = "") => (await reader.get(`${path}${query}`)).body;
    // That of the clan's API key, which a worker numbers.
    await until(async () => (await read()).events.length === 1);
    const [{ type, data }] = (await read()).events;
    expect([type, data.scopes]).toEqual(["key.created", ["award", "deduct", "read"]]);

    const at = new Date("2026-01-01T00:00:00Z");
    const memberEvent = (n: number, platformId: string) => {
      const facts = { platformId, seq: n, xp: 5n, rank: "Recruit", name: null, since: at };
      const body =
        n % 2 === 0
          ? { type: "member.joined", data: { ...facts, cause: "award" } }
          : { type: "member.left", data: facts };
      return { _id: { clanId, n }, eventId: `evt_${n}`, at, subject: `member/${platformId}`, seq: n, ...body };
    };
    const stored = dashboard.world.database.db().collection<any>("events");
    await stored.insertMany(
      Array.from({ length: 120 }, (_, index) => memberEvent(index + 2, index % 40 === 0 ? "b-rare" : "a")),
    );
    // One whose content was erased.
    await stored.insertOne({ _id: { clanId, n: 122 }, eventId: "evt_122", at: new Date() });
    const pages = await pagesOf(reader, path);
    expect(pages.map(({ events }) => events.length)).toEqual([50, 50, 21]);
    const ids = pages.flatMap(({ events }) => events.map(({ id }: any) => id));
    expect(ids.slice(0, -1)).toEqual(Array.from({ length: 120 }, (_, index) => `evt_${121 - index}`));

    const left = (await read("?type=member.left")).events;
    expect(new Set(left.map((event: any) => event.type))).toEqual(new Set(["member.left"]));
    const ofMember = (await read("?search=b-")).events;
    expect(ofMember.map((event: any) => event.data.seq)).toEqual([82, 42, 2]);
    for (const query of ["?search=b-&type=member.left", "?search=-b"]) expect((await read(query)).events).toEqual([]);
    expect((await eve.get(`${otherApi}/events`)).body.events.map(({ id }: any) => id)).not.toContain("evt_121");

    const file = await reader.get(`${path}.csv`);
    expect(file.headers.get("content-disposition")).toContain(`${clanId}-events.csv`);
    const lines = file.body.trim().split("\n");
    expect([lines.length, lines[0].slice(0, 17)]).toEqual([122, "id,type,timestamp"]);
    expect(lines.at(-1)).toContain("evt_121,member.left");
  });
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
    const { reversalId, status } = (await owner.post(path, { reason: " cheated " })).body;
    expect(status).toBe("queued");
    const read = async () => (await owner.get(`${api}/reversals/${reversalId}`)).body;
    await until(async () => (await read()).status === "done");
    expect(await read()).toMatchObject({ reason: "cheated", selected: 1, reversed: 1, skipped: 0 });
    const [reversal, award] = await ledgerOf("cheater");
    const facts = { kind: "reversal", applied: "-50", xp: "0", reason: "cheated", reverses: award.awardId };
    expect(reversal).toMatchObject(facts);
    expect(award).toMatchObject({ applied: "50", reversedBy: reversal.awardId });

    expect((await owner.get(path)).body.awards).toBe(0);
    expect((await owner.post(path, { reason: null })).body.code).toBe("conflict");
    expect(await ledgerOf("cheater")).toHaveLength(2);
    const records = (await owner.get(`${api}/audit?action=reversal.submit`)).body.records;
    expect(records).toMatchObject([{ actor: "ada", via: "dashboard", target: reversalId }]);
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
