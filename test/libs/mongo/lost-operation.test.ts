// A connection that is closed while a command is being written on it: the driver (mongodb 7.8) waits for ever for the
// socket to drain. Nothing here may wait with it: what hangs once would hold a commit group, a worker's slot or a
// caller for as long as the process lives.
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import type { Socket } from "node:net";
import { describe, test, type TestContext } from "vitest";
import { makeLedgerStore } from "#ledger/store/ledger-store.ts";
import { makeBatchStore } from "#batches/store/batch-store.ts";
import { openDatabase } from "#composition/open-database.ts";
import type { Database } from "#mongo/database.ts";
import { makeKeyStore } from "#keys/store/key-store.ts";
import { makeProxiedWorld } from "../../support/proxies.ts";
import { makeEntry } from "../../support/entry.ts";
import { testLog } from "../../support/world.ts";

const member = { clanId: "c", platformId: "m" };

/**
 * A database and a way to close all its connections under it, so that for this turn of the event loop nobody has heard
 * of it.
 */
async function openLosable(
  onTestFinished: TestContext["onTestFinished"],
): Promise<{ database: Database; lose: () => void }> {
  const { proxies } = await makeProxiedWorld(onTestFinished);
  const sockets: Socket[] = [];
  const recordSocket = (message: unknown): void => void sockets.push((message as { socket: Socket }).socket);
  subscribe("net.client.socket", recordSocket);
  onTestFinished(() => void unsubscribe("net.client.socket", recordSocket));
  const database = openDatabase({ url: proxies.config.mongoUrl, name: "clanxp-test", log: testLog });
  onTestFinished(() => database.close());
  await database.ready;
  return {
    database,
    lose() {
      for (const socket of sockets) if (socket.remotePort === proxies.mongo.port) socket.destroy();
    },
  };
}

const entries = [makeEntry(member)];

describe.concurrent("if MongoDB's reply never arrives, and the driver never reports it,", { timeout: 60_000 }, () => {
  test.for<[string, (database: Database) => Promise<unknown>]>([
    ["heads", (database) => makeLedgerStore(database).readHeads([member])],
    ["entries", (database) => makeLedgerStore(database).readEntries(entries)],
    ["a batch at its start", (database) => makeBatchStore(database).start("b", new Date())],
    ["a batch at its end", (database) => makeBatchStore(database).finish("b", [])],
    ["unfinished batches", (database) => makeBatchStore(database).listUnfinished({ limit: 1, afterId: null })],
    ["uses of keys", (database) => makeKeyStore(database).noteUses(new Map([["k", new Date()]]))],
  ])(
    "an operation on %s is reported as unavailable, and served the next time",
    async ([, operation], { expect, onTestFinished }) => {
      const { database, lose } = await openLosable(onTestFinished);
      lose();
      await expect(operation(database)).rejects.toMatchObject({ code: "unavailable" });
      await operation(database);
    },
  );

  test("a commit has an unknown result, and succeeds the next time", async ({ expect, onTestFinished }) => {
    const { database, lose } = await openLosable(onTestFinished);
    const store = makeLedgerStore(database);
    lose();
    expect(await store.commit(entries)).toMatchObject({ kind: "unknown" });
    expect(await store.commit(entries)).toStrictEqual({ kind: "committed" });
  });
});
