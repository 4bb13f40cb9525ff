// Every subject by name, and how it is started. Null: it cannot be here, which was said aloud.
import { BY_LAST_AWARD } from "#ledger/store/member-model.ts";
import type { Servers } from "../servers.ts";
import { startAgingOurs } from "./aging-ours.ts";
import { startBoardOurs } from "./board-ours.ts";
import { startFarOurs } from "./far-ours.ts";
import { fillLedger } from "./fill-ledger.ts";
import { startGainsOurs } from "./gains-ours.ts";
import { startOurs, type Variant } from "./ours.ts";
import { startPostgresReference } from "./postgres-reference.ts";
import { startReversingOurs } from "./reversing-ours.ts";
import { startSendingOurs } from "./sending-ours.ts";
import { startReference, type ReferenceFacts } from "./reference.ts";
import type { Subject } from "./subject.ts";
import { startVisitedOurs } from "./visited-ours.ts";

type Start = (servers: Servers, log: (line: string) => void) => Promise<Subject | null>;

const folder = "bench/references";
const reference =
  (name: string, facts: ReferenceFacts): Start =>
  (servers) =>
    startReference(servers, name, facts);
const variant =
  (facts: Variant): Start =>
  (servers) =>
    startOurs(servers, facts);

const withWorker =
  (facts: Variant): Start =>
  async (servers) => {
    const ours = await startOurs(servers, facts);
    await ours.startWorker();
    return ours;
  };

/** As MongoDB names BY_LAST_AWARD. */
const BY_LAST_AWARD_NAME = Object.entries(BY_LAST_AWARD).flat().join("_");
const STOP_MS = 5_000;
/** After the worker's batches, the API reads a member's head once more: by then it has done so for nearly all. */
const ALL_MEMBERS_MS = 8_000;
/** Few enough that two processes often have awards for the same one at the same time. */
const SHARED_MEMBERS = 1_000;

async function withoutRedis(servers: Servers, facts: Variant): Promise<Subject> {
  const { redisUrl, redis } = await servers.startRedis();
  const ours = await startOurs(servers, { ...facts, redisUrl });
  await redis.stop(STOP_MS);
  return ours;
}

/** Lists of idle members need the index, and nothing else does. Each process creates it where it is missing. */
async function withoutIdleIndex(servers: Servers): Promise<Subject> {
  const ours = await startOurs(servers, { name: "ours-no-idle", settlesInMs: ALL_MEMBERS_MS });
  await ours.startWorker();
  await ours.database.db().collection("members").dropIndex(BY_LAST_AWARD_NAME);
  return ours;
}

export const subjects = {
  ours: withWorker({ name: "ours", settlesInMs: ALL_MEMBERS_MS }),
  "ours-sending": (servers) => startSendingOurs(servers, { name: "ours-sending" }),
  "ours-one-clan": withWorker({ name: "ours-one-clan", clans: 1 }),
  "ours-board": startBoardOurs,
  "ours-no-events": withWorker({ name: "ours-no-events", part: "no-events" }),
  "ours-large": (servers, log) =>
    startOurs(servers, {
      name: "ours-large",
      fill: (database, clanIds) => fillLedger(database, clanIds, { size: servers.size, log }),
    }),
  "ours-far": startFarOurs,
  "ours-reversing": startReversingOurs,
  "ours-gains": startGainsOurs,
  "ours-visited": startVisitedOurs,
  "ours-aging": startAgingOurs,
  "ours-no-idle": withoutIdleIndex,
  "ours-no-limits": variant({ name: "ours-no-limits", limits: "none" }),
  "ours-no-lock": variant({ name: "ours-no-lock", part: "no-lock" }),
  "ours-pair": variant({ name: "ours-pair", apis: 2, members: SHARED_MEMBERS }),
  "ours-pair-no-redis": (servers) =>
    withoutRedis(servers, { name: "ours-pair-no-redis", apis: 2, members: SHARED_MEMBERS }),
  "ours-no-redis": (servers) => withoutRedis(servers, { name: "ours-no-redis" }),
  r1: reference("r1", { file: `${folder}/r1-increment.ts`, totals: { hasLedger: false } }),
  r2: reference("r2", { file: `${folder}/r2-naive-twin.ts`, totals: { hasLedger: true }, usesRedis: true }),
  r3: reference("r3", { file: `${folder}/r3-transaction.ts`, totals: { hasLedger: true } }),
  r5: reference("r5", { file: `${folder}/r5-bulk-write.ts`, totals: { hasLedger: false }, isLoop: true }),
  r11: reference("r11", { file: `${folder}/r11-bare-ledger.ts`, totals: { hasLedger: true, isLedgerOnly: true } }),
  r9: (servers) => startPostgresReference(servers, `${folder}/r9-postgres.ts`),
} satisfies Record<string, Start>;

export type SubjectName = keyof typeof subjects;
