// MongoDB and Redis that speak TLS alone and know one user each.
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { cacheDir } from "../../scripts/paths.js";
import { findServer } from "../../scripts/servers/find-server.ts";
import { servers } from "../../scripts/servers/providers.ts";
import { freePort } from "../../scripts/services/ports.ts";
import { makeFirstUser } from "../support/first-user.ts";
import { applyRoles, createUserFor } from "../support/mongo-roles.ts";
import type { Certificates } from "./certificates.ts";

/** No more than docs/how-to/database-users.md and docs/how-to/mongodb-and-redis.md ask for. */
const MONGO_ROLE = "clanxpOperator";
const REDIS_RIGHTS = ["~{clanxp:clanxp}*", "&*", "+@all", "-@dangerous", "+info"];

export type TlsServers = { mongoUrl: string; redisUrl: string; stop(): Promise<void> };

/** Both with this password, Redis with this user, as their URLs say. */
export async function startTlsServers(certificates: Certificates, user: string, password: string): Promise<TlsServers> {
  const [mongoPort, redisPort] = [await freePort(), await freePort()];
  const redis = startRedis({ port: redisPort, user, password }, certificates);
  const children = [await startMongod(mongoPort, certificates), await redis];
  const stop = async (): Promise<void> => void (await Promise.all(children.map(end)));
  // If they cannot be started, they cannot be stopped either.
  try {
    const tls = { tls: true, tlsCAFile: certificates.ca };
    await makeFirstUser({ port: mongoPort, password, tls }, async (client) => {
      await applyRoles(client, "clanxp");
      await createUserFor(client, { role: MONGO_ROLE, storedIn: "clanxp", pwd: password });
    });
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    mongoUrl: `mongodb://${MONGO_ROLE}:${password}@127.0.0.1:${mongoPort}/clanxp?replicaSet=rs0&authSource=admin&tls=true`,
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
    ["--replSet", "rs0", "--dbpath", folder, "--port", String(port), "--bind_ip", "127.0.0.1"],
    ["--nounixsocket", "--quiet", "--tlsMode", "requireTLS", "--tlsAllowConnectionsWithoutCertificates"],
    ["--tlsCertificateKeyFile", both, "--tlsCAFile", ca, "--auth", "--keyFile", keyFile],
    ["--wiredTigerCacheSizeGB", "0.25", "--oplogSize", "990"],
    ["--setParameter", "transactionLifetimeLimitSeconds=10"],
  ]);
}

type RedisOptions = { port: number; user: string; password: string };

function startRedis({ port, user, password }: RedisOptions, { ca, cert, key }: Certificates): Promise<ChildProcess> {
  const folder = mkdtempSync(join(tmpdir(), "clanxp-tls-redis-"));
  return start("redis", [
    ["--port", "0", "--tls-port", String(port), "--bind", "127.0.0.1", "--dir", folder],
    ["--tls-cert-file", cert, "--tls-key-file", key, "--tls-ca-cert-file", ca, "--tls-auth-clients", "no"],
    ["--appendonly", "yes", "--maxmemory-policy", "noeviction"],
    ["--user", "default", "off", "--user", user, "on", `>${password}`, ...REDIS_RIGHTS],
  ]);
}

async function start(program: keyof typeof servers, args: string[][]): Promise<ChildProcess> {
  const server = await findServer(servers[program], { cacheDir, log: () => {} });
  return spawn(server.command, args.flat(), { env: { ...process.env, ...server.env }, stdio: "ignore" });
}
