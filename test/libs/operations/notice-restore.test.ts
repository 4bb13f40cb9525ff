// A restored backup is noticed, and the doctor warns until all sessions were ended.
import { afterAll, describe, expect, test } from "vitest";
import { redisNamespace } from "#redis/namespace.ts";
import { makeNewestCount } from "#redis/newest-count.ts";
import { makeAccountStore } from "#accounts/store/account-store.ts";
import { makeContinuityStore } from "#operations/store/continuity-store.ts";
import { makeNoticeRestore } from "#operations/notice-restore.ts";
import { patientCliOn } from "../../support/cli.ts";
import { testActor } from "../../support/actor.ts";
import { useWorld } from "../../support/use-api.ts";
import { openTestRedis, testLog } from "../../support/world.ts";

const world = await useWorld();
const redis = openTestRedis(world.redisUrl);
afterAll(() => redis.disconnect());
await new Promise((resolve) => redis.once("ready", resolve));

/** Two workers. */
const workers = () =>
  [0, 1].map(() =>
    makeNoticeRestore({
      continuity: makeContinuityStore(world.database),
      newestCount: makeNewestCount({ redis, namespace: redisNamespace(world.mongoUrl) }),
      log: testLog,
    }),
  );

describe("a restored backup", () => {
  test("is noticed once by one of several workers, and the doctor warns until sessions and links were ended", async () => {
    const cli = patientCliOn({ MONGO_URL: world.mongoUrl, REDIS_URL: world.redisUrl });
    const warning = async () =>
      (await cli.json("doctor")).answer.checks.find(({ name }: { name: string }) => name === "sessions");
    const check = async (): Promise<void> => void (await Promise.all(workers().map((notice) => notice())));
    const meta = world.database.db().collection<{ _id: string }>("meta");
    const checks = Array.from({ length: 5 }, (_, index) => index);
    for (const _ of checks) await check();
    const backup = await meta.findOne({ _id: "continuity" });
    for (const _ of checks) await check();
    expect(await warning()).toBeUndefined();

    await meta.replaceOne({ _id: "continuity" }, { count: 0, ...backup });
    const { clanId } = (await world.makeClan()).clan;
    await cli.run("account", "invite", "ada", "--clan", clanId, "--role", "owner");
    await world.database.stored.sessions.insertOne({
      _id: "live",
      accountName: "ada",
      generation: 1,
      createdAt: new Date(),
      seenAt: new Date(),
      expiresAt: later(),
    });
    await check();
    expect(await warning()).toMatchObject({ status: "warn", fix: expect.stringContaining("end-sessions --all") });

    expect(await cli.json("account", "end-sessions")).toMatchObject({ exitCode: 2 });
    expect((await cli.json("account", "end-sessions", "--all")).answer).toStrictEqual({ sessions: 1, links: 1 });
    for (const _ of checks) await check();
    expect(await warning()).toBeUndefined();
    const accounts = makeAccountStore(world.database);
    expect(await accounts.endSessions(new Date(), testActor)).toStrictEqual({ sessions: 0, links: 0 });
    const { records } = (await cli.json("audit", "list", "--action", "session.end")).answer;
    expect(records.map(({ after }: any) => after)).toContainEqual({ sessions: 1, links: 1 });
  });
});

function later(): Date {
  return new Date(Date.now() + 60_000);
}
