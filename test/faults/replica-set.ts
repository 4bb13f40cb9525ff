// A replica set of three MongoDB nodes, each of which can be killed, started again, or kept from copying.
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Document, MongoClient } from "mongodb";
import { cacheDir } from "../../scripts/paths.js";
import { findServer } from "../../scripts/servers/find-server.ts";
import { servers } from "../../scripts/servers/providers.ts";
import { freePort } from "../../scripts/services/ports.ts";
import { until } from "../support/until.ts";

const NODES = 3;
/**
 * An election follows a primary's death after this; MongoDB's default is 10 s. Longer than a busy machine lets a node
 * pause.
 */
const ELECTION_MS = 5_000;
export type Node = { host: string; start: () => ChildProcess; process: ChildProcess };

export type ReplicaSet = {
  all: readonly Node[];
  urlOf(databaseName: string): string;
  /** Asks one node, whatever it is to the others. */
  command(node: Node, command: object): Promise<Document>;
  /** Kills a node that is the primary; resolves once it is back as a secondary, after `meanwhile`. */
  killed(node: Node, meanwhile: () => Promise<void>): Promise<void>;
  /** Whether these nodes copy from the primary; they stay in touch with it. */
  replicate(those: readonly Node[], on: boolean): Promise<void>;
  close(): Promise<void>;
};

export async function startReplicaSet(): Promise<ReplicaSet> {
  const folder = mkdtempSync(join(tmpdir(), "clanxp-nodes-"));
  const first = await startNode(join(folder, "node-0"));
  const nodes = [first];
  for (let index = 1; index < NODES; index += 1) nodes.push(await startNode(join(folder, `node-${index}`)));
  for (const node of nodes) await command(node, { ping: 1 });
  const members = nodes.map(({ host }, _id) => ({ _id, host }));
  const settings = { electionTimeoutMillis: ELECTION_MS };
  await command(first, { replSetInitiate: { _id: "rs3", members, settings } });

  return {
    all: nodes,
    urlOf: (databaseName) => `mongodb://${nodes.map(({ host }) => host).join(",")}/${databaseName}?replicaSet=rs3`,
    command,

    async killed(node, meanwhile) {
      await killProcess(node);
      await meanwhile();
      node.process = node.start();
      await until(() =>
        command(node, { hello: 1 }).then(
          (hello) => hello["secondary"] === true,
          () => false,
        ),
      );
    },

    async replicate(those, on) {
      const failPoint = { configureFailPoint: "stopReplProducer", mode: on ? "off" : "alwaysOn" };
      for (const node of those) await command(node, failPoint);
    },

    async close() {
      for (const node of nodes) {
        if (node.process.exitCode === null && node.process.signalCode === null) await killProcess(node);
      }
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function startNode(path: string): Promise<Node> {
  const server = await findServer(servers.mongod, { cacheDir, log: () => {} });
  const port = await freePort();
  mkdirSync(path);
  const options = {
    replSet: "rs3",
    dbpath: path,
    port: String(port),
    bind_ip: "127.0.0.1",
    wiredTigerCacheSizeGB: "0.25",
    oplogSize: "990",
  };
  const parameters = [
    "transactionLifetimeLimitSeconds=10",
    "diagnosticDataCollectionEnabled=false",
    // For fail points.
    "enableTestCommands=1",
  ];
  const args = [
    ...Object.entries(options).flatMap(([name, value]) => [`--${name}`, value]),
    ...parameters.flatMap((parameter) => ["--setParameter", parameter]),
    "--nounixsocket",
    "--quiet",
  ];
  const start = (): ChildProcess =>
    spawn(server.command, args, { env: { ...process.env, ...server.env }, stdio: "ignore" });
  return { host: `127.0.0.1:${port}`, start, process: start() };
}

async function killProcess({ process: child }: Node): Promise<void> {
  const ended = once(child, "exit");
  child.kill("SIGKILL");
  await ended;
}

async function command({ host }: Node, request: object): Promise<Document> {
  const client = await new MongoClient(`mongodb://${host}`, { directConnection: true }).connect();
  try {
    return await client.db("admin").admin().command(request);
  } finally {
    await client.close();
  }
}
