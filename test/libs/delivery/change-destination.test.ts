// Changes of a destination by people: none undoes another one, and none depends on a process's clock.
import { expect, onTestFinished, test, vi } from "vitest";
import type { Destination } from "#domain/destination.ts";
import type { Rank } from "#domain/rank.ts";
import { maskUrl } from "#delivery/couriers/mask-url.ts";
import { makeSealer } from "#delivery/couriers/sealer.ts";
import { systemClock } from "#process/clock.ts";
import { newSigningSecret } from "#process/secrets.ts";
import { makeEventFeed } from "#events/store/event-feed.ts";
import { makeChangeDestination, type ChangedDestination } from "#delivery/change-destination.ts";
import { secretsIn } from "#delivery/open-secrets.ts";
import type { DestinationRejection } from "#delivery/rejection.ts";
import { testActor } from "../../support/actor.ts";
import { destinationsIn, notifierSettings, webhookTo } from "../../support/destinations.ts";
import { useWorld } from "../../support/use-api.ts";

const sealer = makeSealer(notifierSettings.secretsKey ?? "");
const seen = { fault: null, roles: ["1", "2", "3"].map((roleId) => ({ roleId, name: roleId, isUsable: true })) };
const mapping = { target: "7", roles: { Recruit: "1" }, requestsPerMinute: 120 };
const world = await useWorld();
const destinations = destinationsIn(world.database);

/** `together`: so many changes read the destination before any of them is made. `meanwhile`: is done then. */
function changing(together = 1, meanwhile = async () => {}) {
  const all = Promise.withResolvers<void>();
  let reads = 0;
  return makeChangeDestination({
    clans: world.clans,
    destinations: {
      ...destinations.store,
      async read(destinationId) {
        const stored = await destinations.store.read(destinationId);
        if (++reads === together) all.resolve(meanwhile());
        await all.promise;
        return stored;
      },
    },
    events: makeEventFeed(world.database),
    calls: { ask: async () => ({ inspect: seen }) },
    sealer,
    urls: { findFault: async () => null, mask: maskUrl },
    newSecret: newSigningSecret,
    clock: systemClock,
  });
}

async function newWebhook(): Promise<string> {
  const { clanId } = (await world.makeClan()).clan;
  return destinations.add(clanId, webhookTo("https://example.com/first"));
}

async function newGroup(changes: Partial<Destination> = {}): Promise<string> {
  const { clanId } = (await world.makeClan()).clan;
  return destinations.add(clanId, { kind: "roblox-group", credential: "key" }, { mapping, ...changes });
}

async function webhookOf(destinationId: string) {
  const stored = await destinations.store.read(destinationId);
  const secrets = stored && secretsIn(stored, sealer);
  if (secrets?.kind !== "webhook") throw new Error("no webhook");
  return secrets;
}

function changed(result: ChangedDestination | DestinationRejection): ChangedDestination {
  if (result.kind === "rejected") throw new Error(result.detail);
  return result;
}

/** Whether all members' roles are to be compared now, by MongoDB's clock. */
async function isFullSyncDue(destinationId: string): Promise<boolean> {
  const due = { _id: destinationId, $expr: { $lte: ["$run.fullSyncAt", "$$NOW"] } };
  return (await world.database.stored.destinations.countDocuments(due)) === 1;
}

test("two rotations at the same time: both secrets that were shown sign", async () => {
  const id = await newWebhook();
  const [old] = (await webhookOf(id)).signing;
  const { rotate } = changing(2);
  const results = await Promise.all([1, 2].map(() => rotate(id, { graceMs: 60_000 }, testActor)));
  const shown = results.map((result) => changed(result).secret);
  const { signing } = await webhookOf(id);
  expect(new Set(signing.map(({ secret }) => secret))).toStrictEqual(new Set([...shown, old?.secret]));
  expect(signing.map(({ endsAt }) => endsAt === null)).toStrictEqual([true, false, false]);
});

test("a rotation and another URL at the same time: the shown secret signs at the new URL, and the old one does not", async () => {
  const id = await newWebhook();
  const { rotate, set } = changing(2);
  const [rotated, moved] = await Promise.all([
    rotate(id, { graceMs: 0 }, testActor),
    set(id, { url: "https://example.com/second" }, testActor),
  ]);
  expect(changed(moved).destination.name).toBe(id);
  const secret = { secret: changed(rotated).secret, endsAt: null };
  expect(await webhookOf(id)).toStrictEqual({ kind: "webhook", url: "https://example.com/second", signing: [secret] });
});

test("two changes of a mapping at the same time, and one beside a rank that is renamed, are all kept", async () => {
  const id = await newGroup();
  const { set } = changing(2);
  const roles = [{ Veteran: "2" }, { Elite: "3" }];
  (await Promise.all(roles.map((roleChanges) => set(id, { roleChanges }, testActor)))).map(changed);
  const stored = await destinations.store.read(id);
  expect(stored?.destination.mapping?.roles).toStrictEqual({ Recruit: "1", Veteran: "2", Elite: "3" });

  const renaming = changing(1, async () => {
    const named = (rank: Rank): Rank => (rank.name === "Recruit" ? { ...rank, name: "Rookie" } : rank);
    const renames = new Map([["Recruit", "Rookie"]]);
    await world.clans.change(
      stored?.destination.clanId ?? "",
      { ranks: (ranks) => ranks.map(named), renames, moved: { rise: 0, fall: 0 } },
      testActor,
    );
  });
  const both = changed(await renaming.set(id, { roleChanges: { Elite: null } }, testActor));
  expect(both.destination.mapping?.roles).toStrictEqual({ Rookie: "1", Veteran: "2" });
});

test("a third earlier secret is rejected until the first one's grace period ends, and --grace 0 ends all of them", async () => {
  const id = await newWebhook();
  const { rotate } = changing();
  for (const graceMs of [3_600_000, 7_200_000]) changed(await rotate(id, { graceMs }, testActor));
  const before = await webhookOf(id);
  const refused = await rotate(id, { graceMs: 60_000 }, testActor);
  expect(refused).toMatchObject({ kind: "rejected", why: "invalid" });
  expect(refused).toHaveProperty("detail", expect.stringMatching(/^2 earlier secrets still sign, the maximum/));
  expect(await webhookOf(id)).toStrictEqual(before);
  const { secret } = changed(await rotate(id, { graceMs: 0 }, testActor));
  expect((await webhookOf(id)).signing).toStrictEqual([{ secret, endsAt: null }]);
});

test("roles are compared immediately after a change by a process whose clock is a day ahead", async () => {
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 86_400_000 });
  onTestFinished(() => void vi.useRealTimers());
  const id = await newGroup();
  expect(await isFullSyncDue(id)).toBe(true);
  const clearPlan = { $set: { "run.fullSyncAt": null } };
  await world.database.stored.destinations.updateOne({ _id: id }, clearPlan);
  changed(await changing().set(id, { roleChanges: { Elite: "3" } }, testActor));
  expect(await isFullSyncDue(id)).toBe(true);
});

test("nothing is added to a clan that does not exist any more", async () => {
  await expect(destinations.add("deleted-meanwhile", webhookTo("https://example.com/"))).rejects.toThrow("no_clan");
  expect(await destinations.store.listOfClan("deleted-meanwhile")).toStrictEqual([]);
});
