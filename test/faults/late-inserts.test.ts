// Inserts that MongoDB executes long after their callers received `outcome_unknown`: each award counts once, and later
// awards are decided on the result.
import { describe, test, vi, type TestContext } from "vitest";
import { scrape } from "../support/scrape.ts";
import { callerOf } from "../support/http.ts";
import type { World } from "../support/world.ts";
import type { SentAward } from "../support/oracle.ts";
import { makeProxiedWorld } from "../support/proxies.ts";
import { sendOnce, type Target } from "./send.ts";
import { violations } from "./violations.ts";

/** How MongoDB's protocol begins an insert into `ledger`. */
const COMMIT = "insert\0\x07\0\0\0ledger\0";

type Cleanup = TestContext["onTestFinished"];
/** Sends awards of the member `m`, and remembers each. `send`: its status. */
type Caller = {
  newAward(): SentAward;
  send(award: SentAward, to: "silent" | "other"): Promise<number>;
};

describe.concurrent("an insert that MongoDB executes late", { timeout: 120_000 }, () => {
  /**
   * An API whose single insert is on its way to MongoDB for so long that its caller received `outcome_unknown`, and
   * another API. Both know the member already.
   */
  async function openScene(onTestFinished: Cleanup) {
    const { world, proxies } = await makeProxiedWorld(onTestFinished);
    const [{ clan, key }, silent, other] = await Promise.all([
      world.makeClan(),
      world.startApi({ config: { mongoUrl: proxies.config.mongoUrl } }),
      world.startApi(),
    ]);
    const target = (port: number): Target => ({
      clanId: clan.clanId,
      key,
      baseUrls: () => [`http://127.0.0.1:${port}`],
    });
    const targets = { silent: target(silent.port), other: target(other.port) };
    const awards: SentAward[] = [];
    const caller: Caller = {
      newAward() {
        awards.push({ platformId: "m", key: `k${awards.length}`, amount: 10 + awards.length, answers: [] });
        return awards.at(-1) as SentAward;
      },
      send: (award, to) => sendOnce(targets[to], award),
    };
    for (const to of ["silent", "other", "silent"] as const) await caller.send(caller.newAward(), to);

    const late = caller.newAward();
    const keeping = proxies.mongo.holdBack(COMMIT);
    await Promise.all([keeping, caller.send(late, "silent")]);
    // By now the connection is given up. A list of members has what is known of them projected first.
    await seldom(async () => (await scrape(silent.opsPort)).series.get('clanxp_commits_total{result="unknown"}') === 1);
    const listed = async (): Promise<unknown[]> => {
      const { members } = (await callerOf(silent.port, key, `/v0/clans/${clan.clanId}`).get("/members")).body;
      return members.map(({ xp }: { xp: string }) => xp);
    };
    await listed();
    return { world, clanId: clan.clanId, caller, late, awards, listed, deliver: await keeping };
  }

  async function wrong(
    name: string,
    { world, clanId, awards }: { world: World; clanId: string; awards: SentAward[] },
  ): Promise<string[]> {
    return await violations(`insert executed late: ${name}`, world.database, clanId, { awards, batches: [] });
  }

  test("is included in the list of members and in the member's next awards", async ({ expect, onTestFinished }) => {
    const scene = await openScene(onTestFinished);
    const { caller, late, listed, deliver } = scene;
    expect(late.answers).toMatchObject([{ status: 503, code: "outcome_unknown" }]);
    expect(await listed()).toStrictEqual(["33"]);
    await deliver();
    await seldom(async () => (await listed())[0] === "46");

    for (const to of ["other", "silent"] as const) expect(await caller.send(caller.newAward(), to)).toBe(200);
    await caller.send(late, "silent");
    expect(late.answers.at(-1)).toMatchObject({ status: 200, replayed: true, xp: "46" });
    expect(await wrong("nobody asked", scene)).toStrictEqual([]);
  });

  test("after a retry of its award does not apply it twice, and later awards are correct on both APIs", async ({
    expect,
    onTestFinished,
  }) => {
    const scene = await openScene(onTestFinished);
    const { caller, late, deliver } = scene;
    expect(await caller.send(late, "silent")).toBe(200);
    expect(await caller.send(caller.newAward(), "other")).toBe(200);
    await deliver();
    for (const to of ["silent", "other"] as const) expect(await caller.send(caller.newAward(), to)).toBe(200);
    await caller.send(late, "other");
    expect(late.answers.map(({ status, replayed }) => [status, replayed])).toStrictEqual([
      [503, false],
      [200, false],
      [200, true],
    ]);
    expect(await wrong("after its retry", scene)).toStrictEqual([]);
  });

  test("after other awards of the member has no effect, and its retry is applied", async ({
    expect,
    onTestFinished,
  }) => {
    const scene = await openScene(onTestFinished);
    const { caller, late, deliver } = scene;
    for (const to of ["other", "silent"] as const) expect(await caller.send(caller.newAward(), to)).toBe(200);
    await deliver();
    for (const to of ["silent", "other"] as const) expect(await caller.send(caller.newAward(), to)).toBe(200);
    expect(await caller.send(late, "silent")).toBe(200);
    expect(late.answers.at(-1)).toMatchObject({ status: 200, replayed: false });
    expect(await wrong("after other awards", scene)).toStrictEqual([]);
  });
});

/** Asks until it is so, and leaves time for what is asked about. */
async function seldom(isSo: () => Promise<boolean>): Promise<void> {
  await vi.waitUntil(isSo, { interval: 250, timeout: 60_000 });
}
