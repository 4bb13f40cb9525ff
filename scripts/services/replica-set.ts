// Makes the mongod at a port the writable primary of its one-node replica set, whatever port it had before, and waits
// for it: `node scripts/services/replica-set.ts <port>`.

import { setTimeout as sleep } from "node:timers/promises";
import { MongoClient, MongoServerError, type Db } from "mongodb";
import { messageOf } from "../system/message-of.js";

const NAME = "rs0";
const WAIT_MS = 60_000; // a journal of a crash may have to be replayed first
const NOT_YET_INITIALIZED = 94;
const POLL_MS = 50;

const host = `127.0.0.1:${process.argv[2]}`;
const client = new MongoClient(`mongodb://${host}`, {
  directConnection: true,
  serverSelectionTimeoutMS: WAIT_MS,
});

try {
  await client.connect();
  await configure(client.db("admin"));
  await waitForPrimary(client.db("admin"), performance.now() + WAIT_MS);
} catch (error) {
  console.error(`Error: ${messageOf(error)}`);
  process.exitCode = 1;
} finally {
  await client.close();
}

async function configure(admin: Db): Promise<void> {
  const members = [{ _id: 0, host }];
  const config = await currentConfig(admin);
  if (!config) {
    await admin.command({ replSetInitiate: { _id: NAME, members } });
  } else if (config.members.length !== 1 || config.members[0].host !== host) {
    // The member now has another port; only `force` permits a reconfiguration without a primary.
    await admin.command({
      replSetReconfig: { ...config, members, version: config.version + 1 },
      force: true,
    });
  }
}

async function currentConfig(admin: Db) {
  try {
    const { config } = await admin.command({ replSetGetConfig: 1 });
    return config;
  } catch (error) {
    if (error instanceof MongoServerError && error.code === NOT_YET_INITIALIZED) return undefined;
    throw error;
  }
}

async function waitForPrimary(admin: Db, deadline: number) {
  for (;;) {
    const { isWritablePrimary } = await admin.command({ hello: 1 });
    if (isWritablePrimary) return;
    if (performance.now() > deadline)
      throw new Error(`mongod at ${host} did not become primary within ${WAIT_MS / 1000} s`);
    await sleep(POLL_MS);
  }
}
