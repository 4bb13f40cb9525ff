// Requests to the group of a destination: their pace, what Roblox asks for, and outages.
import { expect, test } from "vitest";
import { until } from "../../support/until.ts";
import { MEMBER, RECRUIT, useGroup } from "../../support/use-group.ts";

const { world, at, follow, inGroup, rolesOf, changes, isSynced } = await useGroup();

/** Timers may end a little early. */
const EARLY_MS = 10;

test("requests are spread evenly, also when another notifier takes over, and what was begun is completed", async () => {
  const ids = Array.from({ length: 12 }, (_, index) => `${300 + index}`);
  await at.clan.awards(ids.map((platformId) => ({ platformId, amount: 150 })));
  inGroup(Object.fromEntries(ids.map((id) => [id, [MEMBER]])));
  const everyMs = 80;
  await follow({ requestsPerMinute: 60_000 / everyMs });
  /** However busy the machine is, none arrives before its turn; a timer may end 1 ms early. */
  const expectTurns = (from: number, heldAtMs: number): void => {
    for (const [index, { atMs }] of at.roblox.seen.slice(from).entries())
      expect(atMs - heldAtMs).toBeGreaterThan((index + 1) * (everyMs - 1) - EARLY_MS);
  };
  const heldAtMs = performance.now();
  const first = await at.follower.hold();
  await until(() => changes().length >= 4);
  await first.stop();
  const taken = at.roblox.seen.length;
  expectTurns(0, heldAtMs);
  expect(changes().length).toBeLessThan(ids.length);
  const takenOverAtMs = performance.now();
  await at.follower.hold();
  await until(() => isSynced());
  expectTurns(taken, takenOverAtMs);
  for (const id of ids) expect(rolesOf(id)).toStrictEqual([MEMBER, RECRUIT]);
});

test("nothing is sent once another process may hold the destination", async () => {
  inGroup({ "101": [MEMBER] });
  await follow();
  let isHeld = true;
  await at.follower.hold({ isHeld: () => isHeld });
  await until(() => isSynced());
  isHeld = false;
  const seen = at.roblox.seen.length;
  await at.clan.award("101", { amount: 150 });
  await until(async () => (await at.follower.outcomes())["waiting"] === 1);
  await at.clan.award("102", { amount: 150 });
  await until(async () => (await at.follower.outcomes())["waiting"] === 2);
  expect(at.roblox.seen).toHaveLength(seen);
});

test("nothing is sent any more for a destination whose state cannot be stored, because it was claimed again", async () => {
  inGroup({ "101": [MEMBER] });
  await follow();
  await at.clan.award("101", { amount: 150 });
  const { held, claimAgain } = await at.follower.hold();
  await until(() => isSynced());
  await claimAgain();
  at.roblox.key = "another key";
  const syncNow = () => at.follower.syncNow(held, { platformId: "101", dryRun: false });
  await expect(syncNow()).rejects.toThrow(/rejects the API key/);
  const seen = at.roblox.seen.length;
  await expect(syncNow()).rejects.toMatchObject({ code: "unavailable" });
  expect(at.roblox.seen).toHaveLength(seen);
  expect((await at.follower.read()).state).toBe("active");
});

test("429 rests as long as Roblox asks, over a takeover too, and uses up no attempt", async () => {
  inGroup({ "101": [MEMBER] });
  await follow({ schedule: { retryMs: [] } });
  const first = await at.follower.hold();
  await until(() => isSynced());
  at.roblox.limit.requests = 0;
  at.roblox.limit.windowMs = 2_000;
  await at.clan.award("101", { amount: 150 });
  await until(() => at.roblox.seen.some(({ query }) => query.has("filter")));
  const limitedAtMs = at.roblox.seen.at(-1)?.atMs ?? 0;
  await first.stop();
  at.roblox.limit.requests = Infinity;
  await at.follower.hold();
  await until(() => rolesOf("101").includes(RECRUIT));
  const next = at.roblox.seen.find(({ atMs }) => atMs > limitedAtMs);
  expect((next?.atMs ?? 0) - limitedAtMs).toBeGreaterThan(1_500);
});

test("a key that Roblox rejects fails the destination at once, with the fix; it is well again with the key", async () => {
  inGroup({ "101": [MEMBER] });
  await follow();
  const { held } = await at.follower.hold();
  await until(() => isSynced());
  const { key } = at.roblox;
  at.roblox.key = "another key";
  await at.clan.award("101", { amount: 150 });
  await until(async () => (await at.follower.read()).state === "failing");
  const { stateReason } = await at.follower.read();
  expect(stateReason).toMatch(/^Roblox rejects the API key: .* Roblox says: "Invalid API Key"$/);
  expect(stateReason).not.toContain(key);
  await expect(at.follower.syncNow(held, { platformId: "101", dryRun: true })).rejects.toThrow(/rejects the API key/);
  const probes = at.roblox.seen.length;
  await until(() => at.roblox.seen.length >= probes + 3);
  const [since, { atMs: firstAtMs }] = [new Date(), at.roblox.seen[probes] ?? { atMs: 0 }];
  // Only probed: one request each.
  expect((at.roblox.seen[probes + 2]?.atMs ?? 0) - firstAtMs).toBeGreaterThan(150);
  at.roblox.key = key;
  await until(async () => (await at.follower.read()).state === "active");
  await until(() => isSynced(since));
  expect(rolesOf("101")).toStrictEqual([MEMBER, RECRUIT]);
  expect((await at.follower.read()).stateReason).toBeNull();
});

test("a destination whose key may change nobody is not compared again while a member waits for a turn", async () => {
  const ids = Array.from({ length: 11 }, (_, index) => `${500 + index}`);
  inGroup(Object.fromEntries(ids.map((id) => [id, [MEMBER]])));
  at.roblox.mayManage = false;
  // None is compared before the turn of the last one is put off.
  await follow({ quietMs: 4_000, schedule: { probeMs: [20] } });
  await at.follower.hold();
  await until(() => isSynced());
  await at.clan.awards(ids.map((platformId) => ({ platformId, amount: 150 })));
  await until(async () => (await at.follower.outcomes())["waiting"] === ids.length);
  const waiting = { platformId: ids[10], destinationId: at.follower.destinationId };
  const syncs = world.database.db().collection("syncs");
  await syncs.updateOne(waiting, [{ $set: { dueAt: { $add: ["$dueAt", 1_000] } } }]);
  await until(async () => (await at.follower.read()).state === "failing");
  const { since } = await at.follower.read();
  await until(() => changes().includes(`${ids[10]} +${RECRUIT}`));
  expect(await at.follower.read()).toMatchObject({ state: "failing", since });
});

test("many people in a row who are above the key's owner keep nobody else from their roles", async () => {
  const staff = Array.from({ length: 14 }, (_, index) => `${600 + index}`);
  await at.clan.awards(["599", ...staff, "700"].map((platformId) => ({ platformId, amount: 150 })));
  at.roblox.roles.push({ id: "1200", name: "Admin", rank: 200 });
  inGroup({ "599": [MEMBER] });
  inGroup(Object.fromEntries(staff.map((id) => [id, [MEMBER, "1200"]])));
  inGroup({ "700": [MEMBER] });
  await follow({ schedule: { probeMs: [50] } });
  await at.follower.hold();
  // Ten of them fail it, and the probes go on with the others.
  await until(async () => (await at.follower.outcomes())["synced"] === 2);
  expect(rolesOf("700")).toStrictEqual([MEMBER, RECRUIT]);
  await until(() => isSynced());
  expect(await at.follower.outcomes()).toStrictEqual({ synced: 2, refused: staff.length });
  expect(await at.follower.read()).toMatchObject({ state: "active", stateReason: null });
});

test("a key that may change nobody is probed with those whom it could not change, until it may", async () => {
  const ids = Array.from({ length: 12 }, (_, index) => `${800 + index}`);
  await at.clan.awards(ids.map((platformId) => ({ platformId, amount: 150 })));
  inGroup(Object.fromEntries(ids.map((id) => [id, [MEMBER]])));
  at.roblox.mayManage = false;
  await follow({ schedule: { probeMs: [20] } });
  await at.follower.hold();
  await until(async () => (await at.follower.read()).state === "failing");
  const { since, stateReason } = await at.follower.read();
  expect(stateReason).toMatch(/^The key's owner has no permission to manage members' roles: /);
  // Each has been asked for, and some of them again.
  await until(() => changes().length > 2 * ids.length);
  expect(await at.follower.read()).toMatchObject({ state: "failing", since });
  at.roblox.mayManage = true;
  await until(async () => (await at.follower.outcomes())["synced"] === ids.length);
  await until(async () => (await at.follower.read()).state === "active");
});

test("an outage is probed only, and disables the destination after its time", async () => {
  inGroup({ "101": [MEMBER] });
  // It is failing for so long that the test sees it, with few probes.
  const probeMs = [150, 150, 150, 4_500];
  await follow({ schedule: { retryMs: [20, 20, 20, 20, 20, 20], probeMs, disableAfterMs: 4_000 } });
  await at.follower.hold();
  await until(() => isSynced());
  at.roblox.odd.push({ matches: () => true, replies: Array.from({ length: 100 }, () => ({ status: 503, body: "" })) });
  await at.clan.award("101", { amount: 150 });
  await until(async () => (await at.follower.read()).state === "failing");
  expect((await at.follower.read()).stateReason).toMatch(/^5 failures in a row, most recently: Roblox responded with/);
  await until(async () => (await at.follower.read()).state === "disabled");
  const seen = at.roblox.seen.length;
  expect(seen).toBeLessThan(20);
  await at.clan.award("102", { amount: 150 });
  const disabled = { clanId: at.clan.clanId, type: "destination.disabled" };
  await until(() =>
    world.database.db().collection("events").findOne({ "_id.clanId": disabled.clanId, type: disabled.type }),
  );
  expect(at.roblox.seen).toHaveLength(seen);
  expect((await at.follower.read()).stateReason).toMatch(/Roblox responded with status 503\./);
});
