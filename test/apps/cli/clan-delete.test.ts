// clan delete: keys stop, everything of the clan goes and nothing comes back, and the audit log says what was done.
import { describe, expect, test } from "vitest";
import { clanData } from "#erasure/store/clan-data.ts";
import { makeClanDeletionStore } from "#erasure/store/clan-deletion-store.ts";
import { discordStopOf } from "#delivery/store/discord-stop-model.ts";
import { makeRoleSyncStore } from "#delivery/store/role-sync-store.ts";
import { actsInTime } from "../../support/acts-in-time.ts";
import { testActor } from "../../support/actor.ts";
import { makeClanCaller } from "../../support/clan-caller.ts";
import { cliOn, patient, patientCliOn, untilComplete } from "../../support/cli.ts";
import { until } from "../../support/until.ts";
import { whereIs } from "../../support/where-is.ts";
import { useApi } from "../../support/use-api.ts";

const { world, port } = await useApi({ worker: true });
const { port: otherPort } = await world.startApi();
const env = { MONGO_URL: world.mongoUrl, REDIS_URL: world.redisUrl };
const cli = patientCliOn(env);

const newClan = () => makeClanCaller(world, port, {}, ["award", "deduct", "read", "reverse"]);
const remove = (clanId: string, ...options: string[]) => cli.json("clan", "delete", clanId, "--yes", ...options);
const db = () => world.database.db();

describe("clan delete", () => {
  test("leaves nothing of the clan in any collection or in Redis, except the record of who deleted it", async () => {
    const clan = await newClan();
    const { clanId } = clan;
    const platformId = `of-${clanId}`;
    for (const amount of [100, 200]) expect((await clan.award(platformId, { amount })).status).toBe(200);
    await clan.post("/names", { names: [{ platformId, name: `Name in ${clanId}` }] });
    const batch = await clan.submit([{ platformId, amount: 5 }], { "idempotency-key": "one" });
    expect(batch.body.applied).toBe(1);
    expect((await clan.post("/reversals", { by: { platformId, from: "2020-01-01T00:00:00Z" } })).status).toBe(202);
    await cli.json("member", "appoint", clanId, platformId, "--rank", "Officer");
    const [{ keyId }] = (await cli.json("key", "list", clanId)).answer.keys;
    await cli.json("key", "limit", keyId, "--xp-per-day", "1000");
    const invitation = ["invite", `ada-${clanId}`, "--clan", clanId, "--role", "owner"];
    expect((await cli.json("account", ...invitation)).exitCode).toBe(0);
    expect((await cli.json("gains", clanId, "--from", "-1h", "--to", "now")).answer.members).toMatchObject([
      { platformId },
    ]);
    const destinationId = `dst_${clanId}`;
    const at = new Date();
    const due = { dueInMs: 60_000, waitMsMax: 60_000 };
    await makeRoleSyncStore(world.database).mark({ destinationId, clanId }, [platformId], due);
    for (const [name, doc] of Object.entries({
      destinations: { _id: destinationId, clanId, createdAt: at },
      deliveries: { _id: { destinationId, n: 1 } },
      calls: { _id: `call_${clanId}`, at, destinationId, call: { platformId } },
      discord_stops: { _id: discordStopOf(clanId), minutes: [], restUntil: null },
      boards: { _id: `${clanId}/weekly`, clanId, boardId: "weekly" },
      periods: { _id: `uid-${clanId}/20260101T000000Z`, clanId },
      standings: { _id: `rows-${clanId}/${platformId}`, clanId, platformId },
      activity: { _id: { clanId, hour: at }, generation: "1", at },
      budgets: { _id: `moderator:${clanId}/ada@example.com/2026-11-22`, spent: 5n, day: at },
      hooks: { _id: `hok_${clanId}`, clanIds: [clanId], createdAt: at },
      erasure_requests: { _id: `hok_${clanId}/n`, clanIds: [clanId], platformId, status: "held" },
      erasures: { _id: `era_${clanId}`, clanId, createdAt: at, finishedAt: at },
    }))
      await db().collection<any>(name).insertOne(doc);
    const ids = { clanId, keyIds: [keyId], destinationIds: [destinationId] };
    const emptyOnes = async (): Promise<string[]> => {
      const names = Object.keys(clanData) as (keyof typeof clanData)[];
      const counted = names.map(async (name) => {
        const filter = clanData[name]?.(ids);
        return filter && (await db().collection<any>(name).countDocuments(filter)) === 0 ? [name] : [];
      });
      return (await Promise.all(counted)).flat();
    };
    // A worker empties the outbox within a second.
    await until(async () => {
      await clan.award(platformId, { amount: 1 });
      return (await emptyOnes()).every((name) => name === "outbox");
    });

    const { exitCode, answer } = await remove(clanId);
    expect(answer).toMatchObject({ clanId, status: "done", members: 1 });
    expect(exitCode).toBe(0);
    // Whose turn it is in the queue is counted by clan, and nothing else.
    const known = ["audit", "accounts", "Redis hash"];
    for (const id of [clanId, keyId]) {
      const left = (await whereIs(world, id)).map((where) => where.split(":")[0] ?? "");
      expect(left.filter((where) => !known.includes(where))).toStrictEqual(["deletions"]);
    }
    expect(await whereIs(world, platformId)).toStrictEqual([]);
    const held = Object.values(clanData).filter((filterOf) => filterOf !== null);
    expect(await emptyOnes()).toHaveLength(held.length);
    const { records } = (await cli.json("audit", "list", "--clan", clanId)).answer;
    expect(records.filter(({ action }: any) => action === "clan.delete")).toHaveLength(1);
    expect(records[0]).toMatchObject({ action: "clan.delete", clanId, target: clanId, after: null });
    const { accounts } = (await cli.json("account", "list")).answer;
    expect(accounts).toContainEqual(expect.objectContaining({ name: `ada-${clanId}`, clans: [] }));
    expect((await cli.json("clan", "show", clanId)).exitCode).toBe(1);
    expect((await cli.json("reconcile")).answer.differences).toStrictEqual([]);

    const again = await cli.json("clan", "create", clanId);
    expect([again.exitCode, again.answer.error.code]).toStrictEqual([1, "clan_taken"]);
    expect(again.answer.error.message).toContain("was deleted");
    expect((await remove(clanId)).answer.error.code).toBe("clan_not_found");
  });

  test("stops the keys on every process within a second, before any data is deleted", async () => {
    const clan = await newClan();
    const both = [clan, clan.on(otherPort)];
    for (const one of both) expect((await one.award("m", { amount: 1 })).status).toBe(200);
    // What the command does first; then it continues what was begun.
    expect(await makeClanDeletionStore(world.database).begin(clan.clanId, testActor)).toBe("begun");
    await Promise.all(
      both.map((one) => actsInTime(async () => (await one.award("m", { amount: 1 })).body.code === "key_revoked")),
    );
    expect((await clan.get("/members/m")).body.code).toBe("key_revoked");
    expect(await db().collection<any>("ledger").countDocuments({ "_id.clanId": clan.clanId })).toBeGreaterThan(1);
    expect((await remove(clan.clanId)).answer).toStrictEqual({ clanId: clan.clanId, status: "done", members: 1 });
    await until(async () => (await clan.award("m", { amount: 1 })).body.code === "key_invalid");
  });

  test("counts without a deletion, also members of the last second", async () => {
    const clan = await newClan();
    for (const platformId of ["a", "b"]) await clan.award(platformId, { amount: 1 });
    const { exitCode, answer } = await untilComplete(() => cli.json("clan", "delete", clan.clanId, "--dry-run"));
    expect([exitCode, answer]).toStrictEqual([0, { clanId: clan.clanId, status: "dry_run", members: 2 }]);
    expect((await clan.award("a", { amount: 1 })).status).toBe(200);
  });

  test("asks for the id, and deletes nothing for any other answer", async () => {
    const { clanId } = await newClan();
    const asked: string[][] = [];
    const asking = patient(
      cliOn(env, null, async (question, word = "") => {
        asked.push([question, word]);
        return asked.length > 1;
      }),
    );
    expect((await asking.json("clan", "delete", clanId)).answer.error.code).toBe("not_confirmed");
    expect((await cli.json("clan", "show", clanId)).exitCode).toBe(0);
    expect((await asking.json("clan", "delete", clanId)).answer).toMatchObject({ status: "done" });
    expect(asked[0]).toStrictEqual([expect.stringContaining(`"${clanId}" with 0 members`), clanId]);
  });

  test("leaves no role, invitation or key that was given at the same time", async () => {
    const deletions = makeClanDeletionStore(world.database);
    for (let round = 0; round < 3; round += 1) {
      const { clanId } = await newClan();
      const [known, other] = [`known-${clanId}`, (await newClan()).clanId];
      await cli.json("account", "invite", known, "--clan", other, "--role", "viewer");
      const [begun] = await Promise.all([
        deletions.begin(clanId, testActor),
        cli.json("account", "grant", known, "--clan", clanId, "--role", "owner"),
        cli.json("account", "invite", `new-${clanId}`, "--clan", clanId, "--role", "owner"),
        cli.json("key", "create", clanId, "--name", "late"),
      ]);
      expect(begun).toBe("begun");
      const { accounts } = (await cli.json("account", "list")).answer;
      expect(JSON.stringify(accounts)).not.toContain(`"${clanId}"`);
      expect(await db().collection("keys").countDocuments({ clanId, revokedAt: null })).toBe(0);
    }
  });
});
