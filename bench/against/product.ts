// A product in a folder as a subject: its API and its worker, with clans and keys that its own command line makes, so
// that it needs nothing of the code that measures it.
import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { z } from "zod";
import { PROJECTION_AGE_MAX_MS } from "#ledger/bounds.ts";
import { freePort } from "../../scripts/services/ports.ts";
import { nodeOptions } from "../../scripts/supervise/node-options.ts";
import { startNode, untilListening } from "../processes.ts";
import type { Servers } from "../servers.ts";
import { insertMembers, readMongoTotals } from "../subjects/mongo-books.ts";
import { MEMBERS, ranksOf, requestProjection, TOTALS_LAG_MS } from "../subjects/ours.ts";
import type { Subject } from "../subjects/subject.ts";

/** Fewer than elsewhere: each takes four commands. */
const CLANS = 4;
const Issued = z.looseObject({ keyId: z.string(), secret: z.string() });

/** `name`: of its database. */
export async function startProduct(servers: Servers, { name, folder }: { name: string; folder: string }) {
  const db = servers.mongo.db(`bench-${name}`);
  await db.dropDatabase();
  const env = { MONGO_URL: servers.mongoUrl(db.databaseName), REDIS_URL: servers.redisUrl, LOG_LEVEL: "error" };
  async function clanxp(...args: string[]): Promise<string> {
    const cli = [join(folder, "apps/cli/main.ts"), ...args];
    const { stdout } = await promisify(execFile)(process.execPath, cli, {
      cwd: folder,
      env: { ...process.env, ...env },
    });
    return stdout;
  }
  async function makeClan(index: number): Promise<{ clanId: string; secret: string }> {
    const clanId = `clan-${index}`;
    const ranks = ranksOf(index, CLANS).flatMap((rank) =>
      rank.kind === "NORMAL" ? ["--rank", `${rank.name}:NORMAL:${rank.threshold}`] : [],
    );
    await clanxp("clan", "create", clanId, "--auto");
    await clanxp("rank", "set", clanId, "--yes", ...ranks);
    const { keyId, secret } = Issued.parse(
      JSON.parse(await clanxp("key", "create", clanId, "--name", "bench", "--json")),
    );
    await clanxp("key", "limit", keyId, "--requests", "none", "--awards", "none");
    return { clanId, secret };
  }

  const [port, apiOps, workerOps] = [await freePort(), await freePort(), await freePort()];
  // The worker is the one that may create collections. Both have the options of this commit.
  const worker = startNode("apps/worker/main.ts", { ...env, OPS_PORT: String(workerOps) }, nodeOptions.worker, folder);
  const ports = { PORT: String(port), OPS_PORT: String(apiOps) };
  const api = startNode("apps/api/main.ts", { ...env, ...ports }, nodeOptions.api, folder);
  const close = async (): Promise<void> => {
    await Promise.all([api.stop(), worker.stop()]);
    await db.dropDatabase();
  };
  try {
    await Promise.all([untilListening(worker, workerOps), untilListening(api, port)]);
    const clans: Subject["clans"][number][] = [];
    for (let index = 0; index < CLANS; index += 1) clans.push(await makeClan(index));
    await insertMembers(db, { clanIds: clans.map(({ clanId }) => clanId), total: MEMBERS });
    const subject: Subject = {
      port,
      clans,
      membersTotal: MEMBERS,
      pids: { api: [api.pid], worker: [worker.pid], mongod: [servers.pids.mongod], redis: [servers.pids.redis] },
      generator: null,
      settlesInMs: PROJECTION_AGE_MAX_MS,
      totalsLagMs: TOTALS_LAG_MS,
      readTotals: () => requestProjection(port, clans).then(() => readMongoTotals(db, { hasLedger: true })),
      verify: null,
      close,
    };
    return subject;
  } catch (error) {
    await close();
    throw error;
  }
}
