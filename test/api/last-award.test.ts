// The time of a member's newest award with an API key, in every response that has it.
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { isByPerson } from "#domain/award.ts";
import { scopes } from "#domain/scope.ts";
import type { MemberDoc } from "#store/ledger/member-model.ts";
import { makeClanCaller, PATIENT, type ClanCaller } from "../support/clan-caller.ts";
import { patientCliOn } from "../support/cli.ts";
import { expectResponse } from "../support/responses.ts";
import { reversalsOf } from "../support/reversals.ts";
import { tempDir } from "../support/temp-dir.ts";
import { until } from "../support/until.ts";
import { useApi } from "../support/use-api.ts";

type Page = { members: { platformId: string }[] };

describe("the last award", async () => {
  const { world, port } = await useApi();
  const cli = patientCliOn({ MONGO_URL: world.mongoUrl, REDIS_URL: world.redisUrl });

  const list = async (clan: ClanCaller, query: string): Promise<Page> =>
    expectResponse("list-members", await clan.get(`/members${query}`));
  const read = async (clan: ClanCaller, platformId: string, query = ""): Promise<any> =>
    expectResponse("read-member", await clan.get(`/members/${platformId}${query}`));
  async function clanOf(xpOf: Record<string, number>): Promise<ClanCaller> {
    const clan = await makeClanCaller(world, port, {}, scopes);
    await Promise.all(Object.entries(xpOf).map(([platformId, amount]) => clan.award(platformId, { amount })));
    return clan;
  }

  async function remove(clan: ClanCaller, platformId: string): Promise<void> {
    await world.members.join({ clanId: clan.clanId, platformId }, new Date(), null);
    expect((await cli.json("member", "remove", clan.clanId, platformId)).exitCode).toBe(0);
  }

  test("is the newest one with a key: not a change by a person, an import or a reversal", async () => {
    const clan = await clanOf({});
    await world.startWorker();
    const atOf = async (platformId: string, index = 0): Promise<string> =>
      (await clan.get(`/members/${platformId}/ledger`)).body.entries[index].at;
    const everywhere = async (platformId: string): Promise<unknown[]> => [
      (await read(clan, platformId)).lastAwardAt,
      (await list(clan, "?sort=platformId&limit=200")).members.find((one) => one.platformId === platformId),
      (await list(clan, `?platformIds=${platformId}`)).members[0],
    ];
    const expectLast = async (platformId: string, lastAwardAt: string | null): Promise<void> =>
      expect.poll(() => everywhere(platformId)).toMatchObject([lastAwardAt, { lastAwardAt }, { lastAwardAt }]);

    await clan.award("a", { amount: 100 });
    const first = await atOf("a");
    await expectLast("a", first);
    const { awardId } = (await clan.get("/members/a/ledger")).body.entries[0];
    await reversalsOf(clan).reverseNow({ platformId: "a", awardId });
    await expectLast("a", first);
    await remove(clan, "a");
    await expectLast("a", first);
    expectResponse("submit-batch", await clan.submit([{ platformId: "a", amount: 3 }], PATIENT));
    const second = await atOf("a");
    await until(async () => (await read(clan, "a")).lastAwardAt === second);
    await expectLast("a", second);

    await world.members.join({ clanId: clan.clanId, platformId: "joined" }, new Date(), "Officer");
    await expectLast("joined", null);
    const file = join(tempDir(), "import.csv");
    await writeFile(file, "platformId,xp\nimported,50\na,50\n");
    expect((await cli.json("import", clan.clanId, file)).answer).toMatchObject({ imported: 2 });
    await expectLast("imported", null);
    await expectLast("a", second);
    await clan.award("imported", { amount: 1 });
    await expectLast("imported", await atOf("imported"));
  });

  test("is found in a ledger and documents that an older version wrote", async () => {
    const clan = await clanOf({ a: 10, b: 20 });
    await world.members.join({ clanId: clan.clanId, platformId: "a" }, new Date(), null);
    await world.members.join({ clanId: clan.clanId, platformId: "only-joined" }, new Date(), null);
    await list(clan, "");
    const db = world.database.db();
    await db.collection("members").updateMany({ clanId: clan.clanId }, { $unset: { lastAwardAt: 1 } });
    await db.collection("ledger").updateMany({ "_id.clanId": clan.clanId }, { $unset: { lastAwardAt: 1 } });
    const { entries } = (await clan.get("/members/a/ledger")).body;
    const lastOf = new Map<string, string | null>([
      ["a", entries.at(-1).at],
      ["b", (await clan.get("/members/b/ledger")).body.entries[0].at],
      ["only-joined", null],
    ]);
    // Another process has no head in its cache.
    const other = clan.on((await world.startApi()).port);
    for (const [platformId, lastAwardAt] of lastOf)
      expect((await read(other, platformId)).lastAwardAt).toBe(lastAwardAt);
    const found = await list(other, "");
    expect(found.members).toMatchObject(
      ["b", "a", "only-joined"].map((platformId) => ({ platformId, lastAwardAt: lastOf.get(platformId) })),
    );
    const docs = await db.collection<MemberDoc>("members").find({ clanId: clan.clanId }).toArray();
    expect(docs.map(({ lastAwardAt }) => lastAwardAt === undefined)).toStrictEqual([false, false, false]);
    expect(entries.map((entry: { kind?: "membership" }) => isByPerson(entry))).toStrictEqual([true, false]);
  });
});
