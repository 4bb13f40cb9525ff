// How long Roblox's erasure requests and removed hooks are stored, and what else ends a held request.
import { expect, test } from "vitest";
import { makeHookStore } from "#hooks/store/hook-store.ts";
import { makeRecheckRequests } from "#hooks/store/recheck-requests.ts";
import type { HookDoc } from "#hooks/store/hook-model.ts";
import type { RequestDoc } from "#hooks/store/request-model.ts";
import { makeRequestStore } from "#hooks/store/request-store.ts";
import { useWorld } from "../../../support/use-api.ts";

const { database } = await useWorld();
const requests = () => database.db().collection<RequestDoc>("erasure_requests");
const hooks = () => database.db().collection<HookDoc>("hooks");
const DAY_MS = 86_400_000;
const daysAgo = (days: number): Date => new Date(Date.now() - days * DAY_MS);

function requestOf(id: string, changes: Partial<RequestDoc>): RequestDoc {
  const of = { _id: id, hookId: "hok_1", notificationId: id, clanIds: null, receivedAt: daysAgo(500) };
  return { ...of, status: "done", doneAt: daysAgo(500), clans: [], ...changes };
}

test("requests that ended long ago are deleted, some at a time, and never one that a person has to decide on", async () => {
  const docs = [
    requestOf("old", {}),
    requestOf("rejected", { status: "refused" }),
    requestOf("recent", { doneAt: daysAgo(399) }),
    requestOf("held", { status: "held", doneAt: null, platformId: "1" }),
  ];
  await requests().insertMany(docs);
  const store = makeRequestStore(database);
  const old = { olderThanMs: 400 * DAY_MS, limit: 1 };
  expect([await store.deleteOld(old), await store.deleteOld(old), await store.deleteOld(old)]).toStrictEqual([1, 1, 0]);
  const left = (await requests().find().sort({ _id: 1 }).toArray()).map(({ _id }) => _id);
  expect(left).toStrictEqual(expect.arrayContaining(["held", "recent"]));

  const hook = { clanIds: null, games: null, createdAt: daysAgo(900), createdBy: "ada" };
  await hooks().insertMany([
    { _id: "removed", ...hook, removedAt: daysAgo(401) },
    { _id: "used", ...hook, sealed: "x" },
  ]);
  expect(await makeHookStore(database).deleteOld({ ...old, limit: 10 })).toBe(1);
  expect((await makeHookStore(database).list(null)).map(({ hookId }) => hookId)).toStrictEqual(["used"]);
});

test("an erasure of the member lets workers look again at held requests of its clans", async () => {
  const held = { status: "held", doneAt: null, platformId: "9" } as const;
  await requests().insertMany([
    requestOf("a", { ...held, clanIds: ["one", "two"] }),
    requestOf("b", { ...held, clanIds: null }),
    requestOf("c", { ...held, clanIds: ["three"] }),
    requestOf("d", { ...held, platformId: "8" }),
  ]);
  const waiting = async () =>
    (await requests().find({ status: "waiting" }).sort({ _id: 1 }).toArray()).map(({ _id }) => _id);
  await makeRecheckRequests(database)({ clanId: "one", platformId: "9" });
  expect(await waiting()).toStrictEqual(["a", "b"]);
  await makeRecheckRequests(database)({ clanId: null, platformId: "9" });
  expect(await waiting()).toStrictEqual(["a", "b", "c"]);
});
