// The time of a member's newest award with an API key, in every response that has it.
import { writeFile } from "node:fs/promises";
import { describe, expect, test } from "vitest";
import { isByPerson } from "#domain/award.ts";
import { scopes } from "#domain/scope.ts";
import type { MemberDoc } from "#ledger/store/member-model.ts";
import { makeClanCaller, PATIENT, type ClanCaller } from "../support/clan-caller.ts";
import { patientCliOn } from "../support/cli.ts";
import { expectResponse } from "../support/responses.ts";
import { reversalsOf } from "../support/reversals.ts";
import { tempDir } from "../support/temp-dir.ts";
import { useApi } from "../support/use-api.ts";

type Page = { members: { platformId: string }[] };

describe("the last award", async () => {
  const { world, port } = await useApi();
  const cli = patientCliOn({ MONGO_URL: world.mongoUrl, REDIS_URL: world.redisUrl });

  const list = async (clan: ClanCaller, query: string): Promise<Page> =>
    expectResponse("list-members", await clan.get(`/members${query}`));
  const lastOf = async (clan: ClanCaller, platformId: string): Promise<string | null> =>
    expectResponse("read-member", await clan.get(`/members/${platformId}`)).lastAwardAt;
  const join = (clan: ClanCaller, platformId: string, rank: string | null = null): Promise<void> =>
    world.members.join({ clanId: clan.clanId, platformId }, new Date(), rank);

  test("is the newest one with a key: not a change by a person, an import or a reversal", async () => {
    const clan = await makeClanCaller(world, port, {}, scopes);
    await world.startWorker();
    const atOf = async (platformId: string): Promise<string> => (await clan.entriesOf(platformId))[0].at;
    const everywhere = async (platformId: string): Promise<unknown[]> => [
      await lastOf(clan, platformId),
      (await list(clan, "?sort=platformId&limit=200")).members.find((one) => one.platformId === platformId),
      (await list(clan, `?platformIds=${platformId}`)).members[0],
    ];
    const expectLast = async (platformId: string, lastAwardAt: string | null): Promise<void> =>
      expect.poll(() => everywhere(platformId)).toMatchObject([lastAwardAt, { lastAwardAt }, { lastAwardAt }]);

    await clan.award("a", { amount: 100 });
    const first = await atOf("a");
    await expectLast("a", first);
    const [{ awardId }] = await clan.entriesOf("a");
    await reversalsOf(clan).reverseNow({ platformId: "a", awardId });
    await expectLast("a", first);
    await join(clan, "a");
    expect((await cli.json("member", "remove", clan.clanId, "a")).exitCode).toBe(0);
    await expectLast("a", first);
    expectResponse("submit-batch", await clan.submit([{ platformId: "a", amount: 3 }], PATIENT));
    const second = await atOf("a");
    await expectLast("a", second);

    await join(clan, "joined", "Officer");
    await expectLast("joined", null);
    const file = `${tempDir()}/import.csv`;
    await writeFile(file, "platformId,xp\nimported,50\na,50\n");
    expect((await cli.json("import", clan.clanId, file)).answer).toMatchObject({ imported: 2 });
    await expectLast("imported", null);
    await expectLast("a", second);
    await clan.award("imported", { amount: 1 });
    await expectLast("imported", await atOf("imported"));
  });

  test("is found in a ledger and documents that an older version wrote", async () => {
    const clan = await makeClanCaller(world, port, {}, scopes);
    for (const [platformId, amount] of Object.entries({ a: 10, b: 20 })) await clan.award(platformId, { amount });
    for (const platformId of ["a", "only-joined"]) await join(clan, platformId);
    await list(clan, "");
    const db = world.database.db();
    await db.collection("members").updateMany({ clanId: clan.clanId }, { $unset: { lastAwardAt: 1 } });
    await db.collection("ledger").updateMany({ "_id.clanId": clan.clanId }, { $unset: { lastAwardAt: 1 } });
    const entries = await clan.entriesOf("a");
    const last: Record<string, string | null> = {
      a: entries.at(-1).at,
      b: (await clan.entriesOf("b"))[0].at,
      "only-joined": null,
    };
    // Another process has no head in its cache.
    const other = clan.on((await world.startApi()).port);
    for (const [platformId, at] of Object.entries(last)) expect(await lastOf(other, platformId)).toBe(at);
    const { members } = await list(other, "");
    expect(members).toMatchObject(
      ["b", "a", "only-joined"].map((platformId) => ({ platformId, lastAwardAt: last[platformId] })),
    );
    const docs = await db.collection<MemberDoc>("members").find({ clanId: clan.clanId }).toArray();
    expect(docs.map(({ lastAwardAt }) => lastAwardAt === undefined)).toStrictEqual([false, false, false]);
    expect(entries.map((entry: { kind?: "membership" }) => isByPerson(entry))).toStrictEqual([true, false]);
  });
});
