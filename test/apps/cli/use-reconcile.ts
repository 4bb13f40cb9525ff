// What tests of reconcile begin with: a world with an API, a worker and a command line, and clans that it is run on.
import { expect } from "vitest";
import { awardIdOf } from "#contract/award-id.ts";
import { makeReconcileStore } from "#operations/store/reconcile-store.ts";
import { makeReconcile } from "#operations/reconcile.ts";
import { makeClanCaller, type ClanCaller } from "../../support/clan-caller.ts";
import { cliOn } from "../../support/cli.ts";
import { until } from "../../support/until.ts";
import { useApi } from "../../support/use-api.ts";

/** The document of a member with 5 XP and without entries. */
export function memberDoc(clanId: string, platformId: string, changes: object = {}) {
  const head = { xp: 5n, seq: 0, membership: null, appointedRank: null };
  return { _id: `${clanId}/${platformId}`, clanId, platformId, ...head, ...changes };
}

/** Call it where a file begins. */
export async function useReconcile() {
  const { world, port } = await useApi({ worker: true });
  const cli = cliOn({ MONGO_URL: world.mongoUrl }); // no Redis: the ledger is in MongoDB

  /** Anything may be written manually, so the collections are used without their types. */
  const collection = (name: string) => world.database.db().collection<any>(name);

  /** A clan with a bit of everything; `batchId` is of a finished batch. */
  async function livedInClan(): Promise<ClanCaller & { batchId: string }> {
    const caller = await makeClanCaller(world, port, { xpFloor: -50n, xpCap: 1_000n });
    await caller.award("plain", { amount: 60 });
    await caller.award("plain", { amount: 70, reason: "crosses the threshold" }); // 130, a membership
    await caller.award("plain", { amount: -30 }); // 100
    await caller.award("capped", { amount: 900_000 }); // 1000
    await caller.award("floored", { amount: -900 }); // -50
    await caller.award("idle", { amount: 0 });
    for (const platformId of ["joined", "left"])
      await world.members.join({ clanId: caller.clanId, platformId }, new Date(), null);
    await cli.json("member", "remove", caller.clanId, "left");
    const { body } = await caller.submit(
      [
        { platformId: "plain", amount: 5 },
        { platformId: "no amount" },
        { platformId: "only-batch", amount: 7 },
        { platformId: "plain", amount: -1 },
      ],
      { prefer: "respond-async" },
    );
    await until(async () => (await caller.get(`/batches/${body.batchId}`)).body.status === "done");
    // An hour ago: a head that is behind its entries for so long is a difference.
    await collection("ledger").updateMany({ "_id.clanId": caller.clanId }, [
      { $set: { at: { $subtract: ["$at", 3_600_000] } } },
    ]);
    // Every process projects what it holds of the clan before it lists the members.
    await caller.get("/members");
    const reconcile = makeReconcile({ store: makeReconcileStore(world.database), awardIdOf });
    await until(async () => (await reconcile({ clanId: caller.clanId })).differences.length === 0);
    return { ...caller, batchId: body.batchId };
  }

  async function differencesOf(clanId: string): Promise<any[]> {
    const { exitCode, answer } = await cli.json("reconcile", "--clan", clanId);
    expect(exitCode).toBe(answer.differences.length === 0 ? 0 : 1);
    expect(answer.differencesTotal).toBe(answer.differences.length);
    return answer.differences;
  }

  return { world, cli, collection, livedInClan, differencesOf };
}
