// A config server and two shards, all of the one mongod binary, without a router (mongos), which no package carries: a
// caller sends to them what a router would.
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { MongoClient } from "mongodb";
import { cacheDir } from "../../scripts/paths.js";
import { findServer } from "../../scripts/servers/find-server.ts";
import { servers } from "../../scripts/servers/providers.ts";
import { freePort } from "../../scripts/services/ports.ts";
import { until } from "./until.ts";

const MAJORITY = { writeConcern: { w: "majority" } } as const;

type Node = { name: string; host: string; client: MongoClient; process: ChildProcess };

export type ShardedCluster = {
  config: MongoClient;
  /** Creates the database, on the shard at `url`. */
  createDatabase(name: string): Promise<{ url: string; shard(collection: string, key: object): Promise<void> }>;
  close(): Promise<void>;
};

export async function startShardedCluster(): Promise<ShardedCluster> {
  const folder = mkdtempSync(join(tmpdir(), "clanxp-shards-"));
  const [config, first, second] = await Promise.all([
    startNode(folder, "config", "--configsvr"),
    startNode(folder, "shard-0", "--shardsvr"),
    startNode(folder, "shard-1", "--shardsvr"),
  ]);
  const configure = (command: object) => config.client.db("admin").command({ ...command, ...MAJORITY });
  for (const { name, host } of [first, second]) await configure({ _configsvrAddShard: `${name}/${host}`, name });

  return {
    config: config.client,
    async createDatabase(name) {
      const { databaseVersion } = await configure({ _configsvrCreateDatabase: name, primaryShardId: first.name });
      const shard = async (collection: string, shardKey: object): Promise<void> => {
        const command = { _shardsvrCreateCollection: collection, shardKey, unique: false, databaseVersion };
        await first.client.db(name).command({ ...command, ...MAJORITY });
      };
      return { url: `mongodb://${first.host}/${name}?directConnection=true`, shard };
    },
    async close() {
      for (const { client, process: child } of [config, first, second]) {
        await client.close();
        const ended = once(child, "exit");
        child.kill("SIGKILL");
        await ended;
      }
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function startNode(folder: string, name: string, role: "--configsvr" | "--shardsvr"): Promise<Node> {
  const server = await findServer(servers.mongod, { cacheDir, log: () => {} });
  const port = await freePort();
  const host = `127.0.0.1:${port}`;
  const path = join(folder, name);
  mkdirSync(path);
  const args = [
    [role, "--replSet", name, "--dbpath", path, "--port", String(port), "--bind_ip", "127.0.0.1"],
    ["--wiredTigerCacheSizeGB", "0.25", "--oplogSize", "990", "--nounixsocket", "--quiet"],
    ["--setParameter", "diagnosticDataCollectionEnabled=false"],
  ].flat();
  const child = spawn(server.command, args, { env: { ...process.env, ...server.env }, stdio: "ignore" });
  const client = await new MongoClient(`mongodb://${host}`, { directConnection: true }).connect();
  const admin = client.db("admin");
  const members = [{ _id: 0, host }];
  await admin.command({ replSetInitiate: { _id: name, configsvr: role === "--configsvr", members } });
  await until(async () => (await admin.command({ hello: 1 }))["isWritablePrimary"]);
  return { name, host, client, process: child };
}
