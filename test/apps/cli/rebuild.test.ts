// rebuild: whatever became of a member's document, it is what the ledger says afterwards.
import { expect, test } from "vitest";
import { patientCliOn } from "../../support/cli.ts";
import { until } from "../../support/until.ts";
import { useApi } from "../../support/use-api.ts";

const { world, clan } = await useApi();
const cli = patientCliOn({ MONGO_URL: world.mongoUrl });

// Anything may be written manually, so the documents are taken without their types.
const members = () => world.database.db().collection<any>("members");
const idOf = (platformId: string): string => `${clan.clanId}/${platformId}`;

async function documents(): Promise<any[]> {
  return await members()
    .find({ clanId: clan.clanId }, { sort: { _id: 1 } })
    .toArray();
}

test("rebuild restores changed, deleted and outdated documents from the ledger, and keeps the others", async () => {
  for (const member of ["ahead", "behind", "changed", "deleted", "well"]) {
    for (const amount of [60, 70, -5]) await clan.award(member, { amount });
  }
  await world.members.join({ clanId: clan.clanId, platformId: "joined" }, new Date("2026-11-21T12:00:00Z"), null);
  await cli.run("member", "remove", clan.clanId, "deleted");
  await until(async () => {
    const seqs = (await documents()).map(({ seq }) => seq);
    return seqs.filter((seq) => seq >= 3).length === 5 && seqs.includes(4);
  });
  const before = await documents();

  await members().updateOne({ _id: idOf("changed") }, { $set: { xp: 7n, membership: null } });
  await members().updateOne({ _id: idOf("behind") }, { $set: { xp: 60n, seq: 1, membership: null } });
  await members().updateOne({ _id: idOf("ahead") }, { $set: { xp: 999n, seq: 9 } });
  await members().deleteOne({ _id: idOf("deleted") });

  const { exitCode, answer } = await cli.json("rebuild", "--clan", clan.clanId);
  expect([exitCode, answer]).toStrictEqual([0, { members: 6, changed: 4 }]);
  expect(await documents()).toStrictEqual(before);
  expect((await cli.json("reconcile", "--clan", clan.clanId)).exitCode).toBe(0);
  expect((await cli.run("rebuild")).stdout).toContain("none: the documents agree with the ledger");
});
