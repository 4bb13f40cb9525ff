// Reversals whose processes are killed, at whichever step, and whose last words reach MongoDB late: each one ends, each
// of its awards is reversed once, and its counts are true.
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { awardIdOf } from "#contract/award-id.ts";
import { reversalKey } from "#domain/award-key.ts";
import type { Entry } from "#domain/entry.ts";
import { AWARDS_PER_CALL_MAX } from "#domain/bounds.ts";
import { headAfter, NEW_HEAD } from "#domain/head.ts";
import { memberIdOf } from "#domain/member-id.ts";
import { makeLedgerStore } from "#store/ledger/ledger-store.ts";
import { entryOfDoc, type EntryDoc } from "#store/ledger/entry-model.ts";
import { ENTRIES_PER_STEP, REVERSALS_AT_ONCE } from "#usecases/reversals/bounds.ts";
import { expectResponse } from "../support/responses.ts";
import { makeClanCaller, type ClanCaller } from "../support/clan-caller.ts";
import { patientCliOn, type CommandLine } from "../support/cli.ts";
import { reversalDisagreements, type SentReversal } from "../support/corrections-oracle.ts";
import { makeEntry } from "../support/entry.ts";
import { startProcess } from "../support/processes.ts";
import { reversalsOf } from "../support/reversals.ts";
import { openProxies, type Proxies } from "../support/proxies.ts";
import { makeWorld, type World } from "../support/world.ts";

vi.setConfig({ testTimeout: 240_000 });

const SCOPES = ["award", "read", "reverse"] as const;
/**
 * One more commit group than a reversal submits together: some of its entries are committed when the process is killed.
 */
const AWARDS_OF_TWO_GROUPS = REVERSALS_AT_ONCE + 20;
/** How MongoDB's protocol begins an insert into `reversals`. */
const RECORD = "insert\0\x0a\0\0\0reversals\0";

let world: World;
let cli: CommandLine;
let port: number;
beforeAll(async () => {
  world = await makeWorld();
  cli = patientCliOn({ MONGO_URL: world.mongoUrl, REDIS_URL: world.redisUrl });
  ({ port } = await world.startApi());
});
afterAll(() => world.close());

const makeClan = (): Promise<ClanCaller> => makeClanCaller(world, port, {}, SCOPES);
async function ledgerOf({ clanId }: ClanCaller): Promise<Entry[]> {
  return (await world.database.db().collection<EntryDoc>("ledger").find({ "_id.clanId": clanId }).toArray()).map(
    entryOfDoc,
  );
}
const isDone = async (clan: ClanCaller, reversalId: string): Promise<boolean> =>
  (await reversalsOf(clan).read(reversalId)).status === "done";
const seldom = (isSo: () => Promise<boolean>): Promise<unknown> =>
  vi.waitUntil(isSo, { interval: 100, timeout: 100_000 });

/** One award for each of so many members, all of the match `m`. */
async function play(clan: ClanCaller, members: number): Promise<void> {
  const awards = Array.from({ length: members }, (_, index) => ({
    platformId: `p${index}`,
    amount: 10 + index,
    source: { matchId: "m" },
  }));
  for (let first = 0; first < members; first += AWARDS_PER_CALL_MAX) {
    expectResponse("apply-awards", await clan.awards(awards.slice(first, first + AWARDS_PER_CALL_MAX)));
  }
}

/** As many entries of another match as one step looks at, between some of this one: a reversal has two steps then. */
async function playLong(clan: ClanCaller): Promise<void> {
  await play(clan, 3);
  const { clanId } = clan;
  const fromMs = Date.now() - 2 * ENTRIES_PER_STEP;
  const entries = Array.from({ length: ENTRIES_PER_STEP }, (_, index) => {
    const source = { matchId: index < 2 ? "m" : "other" };
    return makeEntry({ clanId, platformId: `q${index}`, key: `=q${index}`, source, at: new Date(fromMs + index) });
  });
  const store = makeLedgerStore(world.database);
  expect(await store.commit(entries)).toStrictEqual({ kind: "committed" });
  await store.project(new Map(entries.map((entry) => [memberIdOf(entry), headAfter(entry) ?? NEW_HEAD])));
}

/** What the oracle and reconcile say of this clan's one reversal of the match `m`. */
async function wrongWith(clan: ClanCaller, reversalIds: readonly string[]): Promise<string[]> {
  const ledger = await ledgerOf(clan);
  const awards = ledger.filter(({ source }) => source?.matchId === "m");
  const sent = reversalIds.map(async (reversalId): Promise<SentReversal> => {
    const { selected, reversed, skipped } = await reversalsOf(clan).read(reversalId);
    return { reversalId, counts: { selected, reversed, skipped }, awards };
  });
  await cli.json("rebuild", "--clan", clan.clanId);
  const { answer } = await cli.json("reconcile", "--clan", clan.clanId);
  return [
    ...reversalDisagreements(await Promise.all(sent), ledger),
    ...answer.differences.map((one: object) => JSON.stringify(one)),
  ];
}

type Step = {
  seed: (clan: ClanCaller) => Promise<void>;
  /** What the worker sends at this step. */
  text: (clan: ClanCaller) => string;
  /** Executed, and its answer is lost; or it arrives only when another worker has ended the reversal. */
  arrives: "in time" | "late";
};

/** The newest of the awards is the last that is selected of its `seq`. */
const lastEntry = ({ clanId }: ClanCaller): string =>
  reversalKey(awardIdOf({ clanId, platformId: `p${AWARDS_OF_TWO_GROUPS - 1}`, seq: 1 }));
const few = (clan: ClanCaller): Promise<void> => play(clan, 3);
const many = (clan: ClanCaller): Promise<void> => play(clan, AWARDS_OF_TWO_GROUPS);
/** Those that hold up a commit group come last: a process has two of them. */
const steps: Record<string, Step> = {
  "is recorded as running": { seed: few, text: () => "startedAt", arrives: "in time" },
  "is to count its first page": { seed: playLong, text: () => "skipped", arrives: "late" },
  "is to be recorded as done": { seed: few, text: () => "skipped", arrives: "late" },
  "has inserted its last entries": { seed: many, text: lastEntry, arrives: "in time" },
  "is to insert its last entries": { seed: many, text: lastEntry, arrives: "late" },
};

describe("a reversal", () => {
  test(`whose worker is killed when it ${Object.keys(steps).join(", ")} is finished by another one, exactly once`, async ({
    onTestFinished,
  }) => {
    const proxies = await openProxies(world);
    onTestFinished(() => proxies.close());
    const cases = await Promise.all(
      Object.entries(steps).map(async ([name, step]) => ({ name, step, clan: await makeClan() })),
    );
    for (const { step, clan } of cases) await step.seed(clan);
    // Awards have just claimed priority there: while they do, a worker commits one commit group at a time.
    await world.emptyRedis();

    const doomed = startProcess("worker", { MONGO_URL: proxies.config.mongoUrl, REDIS_URL: world.redisUrl });
    onTestFinished(async () => void (await doomed.stop()));
    await doomed.ready();
    const reversals: { name: string; clan: ClanCaller; reversalId: string }[] = [];
    const late: (() => Promise<void>)[] = [];
    for (const { name, step, clan } of cases) {
      const reached = reach(proxies, step, clan);
      reversals.push({ name, clan, reversalId: await reversalsOf(clan).reverse({ matchId: "m" }) });
      const deliver = await reached;
      if (deliver) late.push(deliver);
    }
    process.kill(doomed.pid, "SIGKILL");
    await doomed.ended();

    const successor = await world.startWorker();
    for (const { clan, reversalId } of reversals) await seldom(() => isDone(clan, reversalId));
    for (const deliver of late) await deliver();
    await successor.close();
    const wrong = reversals.map(async ({ name, clan, reversalId }) =>
      (await wrongWith(clan, [reversalId])).map((text) => `${name}: ${text}`),
    );
    expect((await Promise.all(wrong)).flat()).toStrictEqual([]);
  });

  test("whose API is killed before or after it is recorded or queued is found by its retry, and done once", async ({
    onTestFinished,
  }) => {
    const proxies = await openProxies(world);
    onTestFinished(() => proxies.close());
    const doomed = startProcess("api", { MONGO_URL: proxies.config.mongoUrl, REDIS_URL: proxies.config.redisUrl });
    onTestFinished(async () => void (await doomed.stop()));
    const { port: doomedPort } = await doomed.ready();
    const clan = await makeClan();
    await play(clan, 3);
    const submit = (to: ClanCaller, key: string) =>
      to.post("/reversals", { by: { matchId: "m" } }, { "idempotency-key": key });

    const recorded = proxies.mongo.cutAfter("there", { text: RECORD }, { silently: true });
    const submitted = [submit(clan.on(doomedPort), "recorded")];
    await recorded;
    const held = proxies.mongo.holdBack(RECORD);
    submitted.push(submit(clan.on(doomedPort), "unrecorded"));
    const deliver = await held;
    const unqueued = proxies.redis.holdBack("run-reversal");
    submitted.push(submit(clan.on(doomedPort), "unqueued"));
    await unqueued;
    process.kill(doomed.pid, "SIGKILL");
    await Promise.allSettled(submitted);

    const keys = ["recorded", "unrecorded", "unqueued"];
    const replies = await Promise.all(keys.map((key) => submit(clan, key)));
    expect(replies.map(({ headers }) => headers.get("idempotency-replayed"))).toStrictEqual(["true", null, "true"]);
    const ids = replies.map((reply) => expectResponse("submit-reversal", reply, 202).reversalId as string);
    await deliver();
    const successor = await world.startWorker();
    for (const reversalId of ids) await seldom(() => isDone(clan, reversalId));
    await successor.close();
    expect(await world.database.models.reversals.countDocuments({ clanId: clan.clanId })).toBe(keys.length);
    expect(await wrongWith(clan, ids)).toStrictEqual([]);
  });
});

/** Resolves once the worker has sent what this step sends; with what delivers it, where it is to arrive late. */
async function reach(
  { mongo }: Proxies,
  { text, arrives }: Step,
  clan: ClanCaller,
): Promise<(() => Promise<void>) | null> {
  if (arrives === "late") return mongo.holdBack(text(clan));
  await mongo.cutAfter("there", { text: text(clan) }, { silently: true });
  return null;
}
