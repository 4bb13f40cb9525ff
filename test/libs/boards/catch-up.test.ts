// The order in which a clan's boards are brought up to date.
import { expect, test } from "vitest";
import { makeCatchUpBoards } from "#boards/catch-up.ts";
import type { StoredBoard, StoredPeriod } from "#boards/ports.ts";
import { silentLog } from "../../support/silent-log.ts";

test("a period becomes final only if all processes had projected its entries before the last count", async () => {
  const calls: string[] = [];
  const note = <Value>(call: string, value: Value): Promise<Value> => {
    calls.push(call);
    return Promise.resolve(value);
  };
  const board = { uid: "b", clanId: "c" } as StoredBoard;
  const period = { boardUid: "b", countedAt: new Date(0), begunAt: new Date(0) } as StoredPeriod;
  const catchUp = makeCatchUpBoards({
    readOpenPeriods: () => note("read periods", { boards: [board], periods: [period], now: new Date(0) }),
    count: () => note("count", false),
    countFromLedger: () => note("count from the ledger", undefined),
    finish: { listRipe: () => note("list ripe", [period]), finish: () => note("finish", undefined) },
    boards: { noteAsOf: () => note("note as of", undefined) },
    periods: { renew: () => note("renew", undefined) },
    restoredAt: async () => null,
    project: () => note("project", true),
    log: silentLog,
  });
  await catchUp("c");
  expect(calls).toStrictEqual(["read periods", "list ripe", "project", "count", "note as of", "finish"]);
});
