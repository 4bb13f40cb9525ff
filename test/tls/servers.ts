// MongoDB and Redis that speak TLS alone and know one user each.
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import mongoose from "mongoose";
import { cacheDir } from "../../scripts/paths.js";
import { findServer } from "../../scripts/servers/find-server.js";
import { servers } from "../../scripts/servers/list.js";
import { freePort } from "../../scripts/services/ports.js";
import { until } from "../support/until.ts";
import type { Certificates } from "./certificates.ts";

/** No more than docs/how-to/mongodb-and-redis.md asks for. */
const MONGO_ROLES = [{ role: "readWrite", db: "clanxp" }, "clusterMonitor"];
const REDIS_RIGHTS = ["~{clanxp:clanxp}*", "&*", "+@all", "-@dangerous", "+info"];

export type TlsServers = { mongoUrl: string; redisUrl: string; stop(): Promise<void> };

/** Both with this user and password, which stand in the URLs. */
export async function startTlsServers(certificates: Certificates, user: string, password: string): Promise<TlsServers> {
  const [mongoPort, redisPort] = [await freePort(), await freePort()];
  const children = [await startMongod(mongoPort, certificates), await startRedis(redisPort, certificates, user, password)];
  const stop = async (): Promise<void> => void (await Promise.all(children.map(end)));
  // Whoever cannot have them cannot stop them either.
  try {
    await makeUser(mongoPort, certificates, user, password);
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    mongoUrl: `mongodb://${user}:${password}@127.0.0.1:${mongoPort}/clanxp?replicaSet=rs0&authSource=admin&tls=true`,
    redisUrl: `rediss://${user}:${password}@127.0.0.1:${redisPort}`,
    stop,
  };
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, "exit");
  child.kill("SIGKILL");
  await ended;
}

async function startMongod(port: number, { ca, both }: Certificates): Promise<ChildProcess> {
  const folder = mkdtempSync(join(tmpdir(), "clanxp-tls-mongo-"));
  // Nodes of a replica set that asks for passwords know each other by it, also a lone one.
  const keyFile = `${folder}.key`;
  writeFileSync(keyFile, "bm9kZXMga25vdyBlYWNoIG90aGVy\n");
  chmodSync(keyFile, 0o600);
  return start("mongod", [
    ["--replSet", "rs0", "--dbpath", folder, "--port", String(port), "--bind_ip", "127.0.0.1", "--nounixsocket", "--quiet"],
    ["--tlsMode", "requireTLS", "--tlsCertificateKeyFile", both, "--tlsCAFile", ca, "--tlsAllowConnectionsWithoutCertificates"],
    ["--auth", "--keyFile", keyFile, "--wiredTigerCacheSizeGB", "0.25", "--oplogSize", "990"],
    ["--setParameter", "transactionLifetimeLimitSeconds=10"],
  ]);
}

function startRedis(port: number, { ca, cert, key }: Certificates, user: string, password: string): Promise<ChildProcess> {
  return start("redis", [
    ["--port", "0", "--tls-port", String(port), "--bind", "127.0.0.1", "--dir", mkdtempSync(join(tmpdir(), "clanxp-tls-redis-"))],
    ["--tls-cert-file", cert, "--tls-key-file", key, "--tls-ca-cert-file", ca, "--tls-auth-clients", "no"],
    ["--appendonly", "yes", "--maxmemory-policy", "noeviction"],
    ["--user", "default", "off", "--user", user, "on", `>${password}`, ...REDIS_RIGHTS],
  ]);
}

async function start(program: keyof typeof servers, args: string[][]): Promise<ChildProcess> {
  const server = await findServer(servers[program], { cacheDir, node: process.execPath, log: () => {} });
  return spawn(server.command, args.flat(), { env: { ...process.env, ...server.env }, stdio: "ignore" });
}

async function makeUser(port: number, { ca }: Certificates, user: string, password: string): Promise<void> {
  const as = async (url: string, act: (admin: mongoose.mongo.Db) => Promise<void>): Promise<void> => {
    const options = { directConnection: true, tls: true, tlsCAFile: ca, serverSelectionTimeoutMS: 60_000 };
    const client = await new mongoose.mongo.MongoClient(url, options).connect();
    try {
      await act(client.db("admin"));
    } finally {
      await client.close();
    }
  };
  // Before there is a user, whoever is on this machine may make the first one, and no second.
  await as(`mongodb://127.0.0.1:${port}`, async (admin) => {
    await admin.command({ replSetInitiate: { _id: "rs0", members: [{ _id: 0, host: `127.0.0.1:${port}` }] } });
    await until(async () => (await admin.command({ hello: 1 }))["isWritablePrimary"]);
    await admin.command({ createUser: "root", pwd: password, roles: ["root"] });
  });
  await as(`mongodb://root:${password}@127.0.0.1:${port}`, async (admin) => {
    await admin.command({ createUser: user, pwd: password, roles: MONGO_ROLES });
  });
}
