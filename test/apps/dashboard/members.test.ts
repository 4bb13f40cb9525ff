// Members as the pages get and change them.
import { describe, expect, test } from "vitest";
import { makeClanCaller } from "../../support/clan-caller.ts";
import { until } from "../../support/until.ts";
import { useDashboard } from "./dashboard-world.ts";
import { pagesOf } from "./pages-of.ts";

const dashboard = await useDashboard();

describe("members", () => {
  test("have their position in the leaderboard, ties alike, also in a search, and each list has a cursor for its own order", async () => {
    const { clanId } = (await dashboard.world.makeClan()).clan;
    const viewer = await dashboard.signedIn("mia", "viewer", clanId);
    const members = `/api/clans/${clanId}/members`;
    // Three of each XP. Their order by platformId differs from their order by XP.
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
    const listed: any[] = (await pagesOf(viewer, members)).flatMap((page) => page.members);
    const leaderboard: string[] = listed.map(({ platformId }) => platformId);
    expect(listed.map(({ position }) => position)).toEqual(
      listed.map((_, index) => ({ value: index - (index % 3) + 1, of: 120, approximate: false })),
    );
    const found: any[] = [];
    for (let cursor = ""; found.length < 100;) {
      const { body } = await viewer.get(`${members}?search=p${cursor}`);
      found.push(...body.members);
      cursor = `&cursor=${body.nextCursor}`;
    }
    expect(found.map(({ platformId }) => platformId)).toEqual(leaderboard.toSorted().slice(0, 100));
    expect(found.map(({ position }) => position)).toEqual(
      found.map(({ platformId }) => listed[leaderboard.indexOf(platformId)].position),
    );
    expect((await viewer.get(`${members}/${leaderboard[4]}`)).body.member).toMatchObject({
      position: { value: 4, of: 120 },
      lastAwardAt: null,
    });

    const ofLeaderboard = (await viewer.get(members)).body.nextCursor;
    expect((await viewer.get(`${members}?search=p&cursor=${ofLeaderboard}`)).body.code).toBe("invalid_request");
  });
});

test("an owner restores memberships after a removal and changes the clan, and each change is recorded once", async () => {
  const { clanId } = (await dashboard.world.makeClan({ autoClan: false })).clan;
  const bea = await dashboard.signedIn("bea", "owner", clanId);
  const ofClan = `/api/clans/${clanId}`;
  const add = () => bea.post(`${ofClan}/members/4711/membership`);
  expect((await bea.post(`${ofClan}/members/4711/removal`)).status).toBe(404);
  const added = await add();
  expect(added.body.member).toMatchObject({ platformId: "4711", xp: "0", membership: { since: expect.any(String) } });
  expect((await add()).body).toEqual(added.body);
  expect((await bea.post(`${ofClan}/members/4711/removal`)).body.member.membership).toBe(null);
  expect((await add()).body.member.membership).toMatchObject({ since: expect.any(String) });

  expect((await bea.send("PATCH", ofClan, { name: "Owls", xpFloor: null })).status).toBe(200);
  expect((await bea.get(ofClan)).body).toMatchObject({ clanId, name: "Owls", xpFloor: null, autoClan: false });
  const { records } = (await bea.get(`${ofClan}/audit`)).body;
  const own = records.filter(({ actor }: { actor: string }) => actor === "bea");
  expect(own.map(({ action }: { action: string }) => action).toSorted()).toEqual([
    "clan.set",
    "member.add",
    "member.add",
    "member.remove",
  ]);
});

test("a retried change of XP returns the stored result, even if the clan's bound was lowered since", async () => {
  const { clanId } = (await dashboard.world.makeClan()).clan;
  const bo = await dashboard.signedIn("bo", "owner", clanId);
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

test("entries name the key that sent them, and files have the rows of clanxp export, of one member too", async () => {
  const { world, cli } = dashboard;
  const clan = await makeClanCaller(world, (await world.startApi()).port);
  const { clanId } = clan;
  const [zoe, vic] = [
    await dashboard.signedIn("zoe", "owner", clanId),
    await dashboard.signedIn("vic", "viewer", clanId),
  ];
  await clan.award("4711", { amount: 20, reason: "=1+1" });
  await clan.award("another", { amount: 7 });
  const path = `/api/clans/${clanId}/members/4711`;
  await zoe.post(`${path}/xp`, { amount: 5, reason: "event", changeId: crypto.randomUUID() });
  const entries = async () => (await vic.get(`${path}/ledger`)).body.entries;
  const [byZoe, byKey] = await entries();
  expect(byZoe).toMatchObject({ actor: "zoe", keyId: "dashboard" });
  expect(byZoe).not.toHaveProperty("keyName");
  expect(byKey).toMatchObject({ reason: "=1+1", keyName: "test" });
  await world.database.models.keys.deleteOne({ _id: byKey.keyId });
  expect((await entries())[1]).toMatchObject({ keyId: byKey.keyId, keyName: null });

  // The API has projected its awards then. The dashboard asks it for that, too, but waits for a limited time.
  await clan.get("/members");
  // The dashboard has every process project its awards, which the command without Redis waits for.
  const files = [
    { path: `/api/clans/${clanId}/members.csv`, what: "members", name: "members.csv" },
    { path: `${path}/ledger.csv`, what: "ledger", name: "4711-ledger.csv" },
  ];
  for (const file of files) {
    const { status, headers, body } = await vic.get(file.path);
    expect([status, headers.get("content-type")]).toEqual([200, "text/csv; charset=utf-8"]);
    expect(headers.get("content-disposition")).toBe(`attachment; filename=${clanId}-${file.name}`);
    // Excel reads the names as UTF-8; `vic` leaves out the mark that says so.
    const sent = await fetch(dashboard.url + file.path, { headers: { cookie: vic.cookies() } });
    expect(Buffer.from(await sent.arrayBuffer()).subarray(0, 3)).toStrictEqual(Buffer.from("\uFEFF"));
    const exported = (await cli.run("export", clanId, file.what)).stdout.split("\n");
    const isWanted = (line: string) => file.what === "members" || !line.startsWith("another,");
    expect(body.split("\n")).toEqual(exported.filter(isWanted));
    expect(body).toContain("4711,");
  }
  expect((await zoe.get(`/api/clans/${clanId}/members/nobody/ledger.csv`)).status).toBe(404);
});

test("a file that cannot be completed arrives as a broken one, and not as a shorter one", async () => {
  const { clanId } = (await dashboard.world.makeClan()).clan;
  const max = await dashboard.signedIn("max", "viewer", clanId);
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

test("an erasure by an owner is recorded once, waits for a worker, and is unknown in other clans", async () => {
  const { world } = dashboard;
  const [{ clanId }, other] = [(await world.makeClan()).clan, (await world.makeClan()).clan];
  const ona = await dashboard.signedIn("ona", "owner", clanId);
  const oto = await dashboard.signedIn("oto", "owner", other.clanId);
  const begun = await ona.post(`/api/clans/${clanId}/members/4712/erasure`);
  expect(begun.body).toEqual({ erasureId: expect.stringMatching(/^era_/), state: "waiting", entries: 0 });
  const { erasureId } = begun.body;
  expect((await ona.get(`/api/clans/${clanId}/erasures/${erasureId}`)).body).toEqual(begun.body);
  expect((await oto.get(`/api/clans/${other.clanId}/erasures/${erasureId}`)).status).toBe(404);
  const { records } = (await ona.get(`/api/clans/${clanId}/audit?action=member.erase`)).body;
  expect(records).toEqual([expect.objectContaining({ actor: "ona", target: erasureId })]);
});
