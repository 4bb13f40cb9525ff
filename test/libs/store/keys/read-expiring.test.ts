// Which keys expire next: live ones only, found without a look at all keys.
import { afterAll, beforeAll, expect, test } from "vitest";
import { makeReadExpiring } from "#store/keys/read-expiring.ts";
import type { ReadExpiring } from "#usecases/keys/ports.ts";
import { testActor } from "../../../support/actor.ts";
import { makeWorld, type World } from "../../../support/world.ts";

let world: World;
let readExpiring: ReadExpiring;
beforeAll(async () => {
  world = await makeWorld();
  readExpiring = makeReadExpiring(world.database);
});
afterAll(() => world.close());

const IN = (days: number): Date => new Date(Date.UTC(2998, 0, 1 + days));
const NOW = IN(0);

test("the keys that expire next are live, and those of all clans are in the order of their ends", async () => {
  const [one, other] = [await world.makeClan(), await world.makeClan()];
  const make = async ({ clan }: typeof one, expiresAt: Date) =>
    (await world.makeKey(clan.clanId, ["read"], expiresAt)).keyId;
  const [third, revoked, expired] = [await make(one, IN(30)), await make(one, IN(2)), await make(one, IN(-1))];
  const [first, replaced] = [await make(other, IN(1)), await make(other, IN(3))];
  const second = await make(other, IN(4));
  await world.keys.revoke(revoked, IN(-2), testActor);
  await world.rotateKey(replaced, 1_000);
  const known = [third, revoked, expired, first, replaced, second];
  const next = (await readExpiring(NOW, 20)).filter(({ keyId }) => known.includes(keyId));
  expect(next).toStrictEqual([
    { keyId: first, clanId: other.clan.clanId, expiresAt: IN(1) },
    { keyId: second, clanId: other.clan.clanId, expiresAt: IN(4) },
    { keyId: third, clanId: one.clan.clanId, expiresAt: IN(30) },
  ]);
  expect(await readExpiring(NOW, 1)).toStrictEqual(next.slice(0, 1));
});

test("keys without an end, and those that ended, are not read", async () => {
  const db = world.database.db();
  await db.setProfilingLevel("all");
  const found = await readExpiring(NOW, 1);
  await db.setProfilingLevel("off");
  const [profiled] = await db.collection("system.profile").find({ "command.find": "keys" }).toArray();
  expect(profiled).toMatchObject({ docsExamined: found.length });
});
