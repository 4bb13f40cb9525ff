// Members as the pages get and change them.
import { expect, test } from "vitest";
import { until } from "../../support/until.ts";
import { pagesOf } from "./pages-of.ts";
import { useClan } from "./use-clan.ts";

const { dashboard, clan, api, owner, viewer: vic } = await useClan();

test("members have their position in the leaderboard, ties alike, also in a search", async () => {
  const { clanId, api: ofClan, person: viewer } = await dashboard.newClan("mia", "viewer");
  const members = `${ofClan}/members`;
  // Three of each XP. Their order by platformId differs from their order by XP.
  const docs = Array.from({ length: 120 }, (_, index) => {
    const platformId = `p${String((index * 7) % 120).padStart(3, "0")}`;
    const xp = BigInt(Math.floor(index / 3));
    return { _id: `${clanId}/${platformId}`, clanId, platformId, xp, seq: 1, membership: null };
  });
  await dashboard.world.database.db().collection<{ _id: string }>("members").insertMany(docs);
  const listed: any[] = (await pagesOf(viewer, members)).flatMap((page) => page.members);
  const leaderboard: string[] = listed.map(({ platformId }) => platformId);
  expect(listed.map(({ position }) => position)).toEqual(
    listed.map((_, index) => ({ value: index - (index % 3) + 1, of: 120, approximate: false })),
  );
  const found: any[] = (await pagesOf(viewer, `${members}?search=p`)).flatMap((page) => page.members);
  expect(found.map(({ platformId }) => platformId)).toEqual(leaderboard.toSorted());
  expect(found.map(({ position }) => position)).toEqual(
    found.map(({ platformId }) => listed[leaderboard.indexOf(platformId)].position),
  );
  const { member } = (await viewer.get(`${members}/${leaderboard[4]}`)).body;
  expect(member).toMatchObject({ position: { value: 4, of: 120 }, lastAwardAt: null });
});

test("an owner restores memberships after a removal and changes the clan, and each change is recorded once", async () => {
  const { api: ofClan, person: bea } = await dashboard.newClan("bea", "owner", { autoClan: false });
  const add = () => bea.post(`${ofClan}/members/4711/membership`);
  expect((await bea.post(`${ofClan}/members/4711/removal`)).status).toBe(404);
  const added = await add();
  expect(added.body.member).toMatchObject({ platformId: "4711", xp: "0", membership: { since: expect.any(String) } });
  expect((await add()).body).toEqual(added.body);
  expect((await bea.post(`${ofClan}/members/4711/removal`)).body.member.membership).toBe(null);
  expect((await add()).body.member.membership).toMatchObject({ since: expect.any(String) });

  expect((await bea.send("PATCH", ofClan, { name: "Owls" })).status).toBe(200);
  const { records } = (await bea.get(`${ofClan}/audit?actor=bea`)).body;
  const actions = records.map(({ action }: { action: string }) => action).toSorted();
  expect(actions).toEqual(["clan.set", "member.add", "member.add", "member.remove"]);
});

test("a retried change of XP returns the stored result, even if the clan's bound was lowered since", async () => {
  const { clanId, api: ofClan, person: bo } = await dashboard.newClan("bo");
  const path = `${ofClan}/members/repeated/xp`;
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

test("entries name the key that sent them, and files have the rows of clanxp export, of one member too", async () => {
  await clan.award("4711", { amount: 20, reason: "=1+1" });
  await clan.award("another", { amount: 7 });
  const path = `${api}/members/4711`;
  await owner.post(`${path}/xp`, { amount: 5, reason: "event", changeId: crypto.randomUUID() });
  const entries = async () => (await vic.get(`${path}/ledger`)).body.entries;
  const [byAda, byKey] = await entries();
  expect(byAda).toMatchObject({ actor: "ada", keyId: "dashboard" });
  expect(byAda).not.toHaveProperty("keyName");
  expect(byKey).toMatchObject({ reason: "=1+1", keyName: "test" });
  await dashboard.world.database.stored.keys.deleteOne({ _id: byKey.keyId });
  expect((await entries())[1]).toMatchObject({ keyId: byKey.keyId, keyName: null });

  // The API has projected its awards then. The dashboard asks it for that, too, but waits for a limited time.
  await clan.get("/members");
  // The dashboard has every process project its awards, which the command without Redis waits for.
  const files = [
    { path: `${api}/members.csv`, what: "members", name: "members.csv" },
    { path: `${path}/ledger.csv`, what: "ledger", name: "4711-ledger.csv" },
  ];
  for (const file of files) {
    const { status, headers, body } = await vic.get(file.path);
    expect([status, headers.get("content-type")]).toEqual([200, "text/csv; charset=utf-8"]);
    expect(headers.get("content-disposition")).toBe(`attachment; filename=${clan.clanId}-${file.name}`);
    // Excel reads the names as UTF-8; `vic` leaves out the mark that says so.
    const sent = await fetch(dashboard.url + file.path, { headers: { cookie: vic.cookies() } });
    expect(Buffer.from(await sent.arrayBuffer()).subarray(0, 3)).toStrictEqual(Buffer.from("\uFEFF"));
    const exported = (await dashboard.cli.run("export", clan.clanId, file.what)).stdout.split("\n");
    const isWanted = (line: string) => file.what === "members" || !line.startsWith("another,");
    expect(body.split("\n")).toEqual(exported.filter(isWanted));
    expect(body).toContain("4711,");
  }
  expect((await vic.get(`${api}/members/nobody/ledger.csv`)).status).toBe(404);
});

test("a file that cannot be completed arrives as a broken one, and not as a shorter one", async () => {
  const { clanId, person: max } = await dashboard.newClan("max", "viewer");
  const docs = Array.from({ length: 700 }, (_, index) => {
    const platformId = `p${1_000 + index}`;
    return { _id: `${clanId}/${platformId}`, clanId, platformId, xp: 1n, seq: 1, membership: null };
  });
  const members = dashboard.world.database.db().collection<{ _id: string }>("members");
  await members.insertMany(docs);
  const file = () => max.get(`/api/clans/${clanId}/members.csv`);
  expect((await file()).body.split("\n")).toHaveLength(1 + 700 + 1);
  // A damaged document would be rebuilt from the ledger; this entry of it is damaged, too.
  await members.updateOne({ _id: `${clanId}/p1699` }, { $unset: { xp: 1 } });
  const ledger = dashboard.world.database.db().collection<any>("ledger");
  await ledger.insertOne({ _id: { clanId, platformId: "p1699", seq: 1 }, key: "k", xp: "many" });
  await expect(file()).rejects.toThrow("terminated");
});

test("an erasure by an owner is recorded once, and waits for a worker", async () => {
  const begun = (await owner.post(`${api}/members/4712/erasure`)).body;
  expect(begun).toEqual({ erasureId: expect.stringMatching(/^era_/), state: "waiting", entries: 0 });
  expect((await owner.get(`${api}/erasures/${begun.erasureId}`)).body).toEqual(begun);
  const { records } = (await owner.get(`${api}/audit?action=member.erase`)).body;
  expect(records).toMatchObject([{ actor: "ada", target: begun.erasureId }]);
});
