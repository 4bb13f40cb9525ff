// A reference from bench/references as a subject: its own database, members in it, one process.
import { freePort } from "../../scripts/services/ports.ts";
import { generatorOf, untilReady } from "../load/run-load.ts";
import { startNode, untilListening } from "../processes.ts";
import type { Servers } from "../servers.ts";
import { insertMembers, readMongoTotals } from "./mongo-books.ts";
import type { Subject } from "./subject.ts";

export const MEMBERS = 10_000;
export const CLANS = Array.from({ length: 10 }, (_, index) => ({ clanId: `clan-${index}`, secret: "none" }));

export type ReferenceFacts = {
  file: string;
  totals: { hasLedger: boolean; isLedgerOnly?: true };
  /** It makes its own load, without HTTP. */
  isLoop?: true;
  usesRedis?: true;
};

export async function startReference(servers: Servers, name: string, facts: ReferenceFacts): Promise<Subject> {
  const { totals, isLoop = false } = facts;
  const db = servers.mongo.db(`bench-${name}`);
  await db.dropDatabase();
  await insertMembers(db, { clanIds: CLANS.map(({ clanId }) => clanId), total: MEMBERS });

  const port = await freePort();
  const env = { PORT: String(port), MONGO_URL: servers.mongoUrl(`bench-${name}`), REDIS_URL: servers.redisUrl };
  const api = startNode(facts.file, env);
  await (isLoop ? untilReady(api.child) : untilListening(api, port));
  return {
    port,
    clans: CLANS,
    membersTotal: MEMBERS,
    pids: {
      api: [api.pid],
      mongod: [servers.pids.mongod],
      ...(facts.usesRedis ? { redis: [servers.pids.redis] } : {}),
    },
    generator: isLoop ? generatorOf(api.child) : null,
    readTotals: () => readMongoTotals(db, totals),
    verify: null,
    async close() {
      await api.stop();
      await db.dropDatabase();
    },
  };
}
