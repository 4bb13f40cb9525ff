// Which keys expire next: live ones only, found without a look at all keys.
import { expect, test } from "vitest";
import { makeReadExpiring } from "#keys/store/read-expiring.ts";
import { testActor } from "../../../support/actor.ts";
import { examinedIn, profiled } from "../../../support/profiled.ts";
import { useWorld } from "../../../support/use-api.ts";

const world = await useWorld();
const readExpiring = makeReadExpiring(world.database);

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
  const commands = await profiled(world, "keys", () => readExpiring(NOW, 1));
  expect(examinedIn(commands)).toBe((await readExpiring(NOW, 1)).length);
});
