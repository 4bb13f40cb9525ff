// This service with a dashboard, whose public page is looked at 2,000 times a second while it is let. Reads of the page
// from MongoDB are counted.
import { PUBLIC_PATH } from "#contract/public-page.ts";
import { buildPages } from "../../scripts/dashboard/built-pages.ts";
import { freePort } from "../../scripts/services/ports.ts";
import { nodeOptions } from "../../scripts/supervise/node-options.ts";
import { messageOf } from "../../scripts/system/message-of.js";
import { makeStores } from "../../apps/cli/open/stores.ts";
import { testActor } from "../../test/support/actor.ts";
import type { LoadPlan, LoadResult } from "../load/plan.ts";
import { startGenerator } from "../load/run-load.ts";
import { startNode, untilListening } from "../processes.ts";
import type { Servers } from "../servers.ts";
import type { Sizes } from "../size-names.ts";
import { loadFault, VoidRun } from "../void-run.ts";
import { startOurs } from "./ours.ts";
import type { Subject } from "./subject.ts";

const VISITS_PER_S = 2_000;
/** Fewer are another load than what awards are to be measured beside. */
const VISITS_SHARE_MIN = 0.95;
const DEVIATIONS_MAX = 3;
const VISITORS = 64;
const FIRST_MS = 1_000;
const ALONE_MS = 5_000;
/** Longer than any measurement. */
const UNTIL_STOPPED_MS = 3_600_000;
const SLUG = "bench";

export async function startVisitedOurs(servers: Servers, print: (line: string) => void): Promise<Subject> {
  await buildPages(print);
  const ours = await startOurs(servers, { name: "ours-visited" });
  await ours.startWorker();
  const { publicPages } = makeStores(ours.database);
  const clanId = ours.clans[0]?.clanId ?? "";
  const changed = await publicPages.change(clanId, { publish: true, slug: SLUG }, testActor);
  if (changed.kind !== "changed") throw new Error(changed.kind);
  const [port, opsPort] = [await freePort(), await freePort()];
  const env = {
    MONGO_URL: servers.mongoUrl("bench-ours-visited"),
    REDIS_URL: servers.redisUrl,
    LOG_LEVEL: "error",
    DASHBOARD_PORT: String(port),
    OPS_PORT: String(opsPort),
  };
  const dashboard = startNode("apps/dashboard/main.ts", env, nodeOptions.dashboard);
  await untilListening(dashboard, port);
  // Only what finds a page by its address: once for each time that it is read.
  const db = ours.database.db();
  const filter = { ns: `${db.databaseName}.slugs`, op: "query" };
  await db.command({ profile: 1, slowms: 0, filter });
  const readsSoFar = (): Promise<number> => db.collection("system.profile").countDocuments({ ns: filter.ns });
  const visitors = await startGenerator();

  const perSecond = VISITS_PER_S * servers.size;
  /** `atMost` null: as often as they can. */
  async function visit(atMost: number | null, measureMs: number): Promise<LoadResult> {
    const common = { clans: [], membersTotal: 0, spread: "uniform", awardsPerRequest: 1, isCall: false } as const;
    const plan: LoadPlan = {
      ...common,
      port,
      path: `${PUBLIC_PATH}${SLUG}`,
      callers: VISITORS,
      warmMs: 0,
      measureMs,
      perSecond: atMost,
    };
    const load = await visitors.run(plan, { began() {}, ended() {} });
    const fault = loadFault(load);
    if (fault) throw new VoidRun(`visitors: ${fault}`);
    return load;
  }

  /** Until they are stopped. Resolves with why they came too rarely. */
  async function visitAlways(): Promise<string | null> {
    const { awardsPerS, awards } = await visit(perSecond, UNTIL_STOPPED_MS);
    // Visits come at random: of a few, as in a trial, there may be many fewer.
    const due = (awards * perSecond) / awardsPerS;
    const isEnough = awards >= VISITS_SHARE_MIN * due - DEVIATIONS_MAX * Math.sqrt(due);
    return isEnough ? null : `only ${Math.round(awardsPerS)} visits a second`;
  }

  let visiting: Promise<string | null> = Promise.resolve(null);
  async function measureSizes(): Promise<Sizes> {
    const [beganMs, before] = [performance.now(), await readsSoFar()];
    const { awardsPerS } = await visit(null, ALONE_MS);
    const reads = (await readsSoFar()) - before;
    // One more than there are seconds: the first one may begin at any time.
    return { visitsPerS: awardsPerS, readsPerS: (reads - 1) / ((performance.now() - beganMs) / 1_000) };
  }

  // Of a dashboard that has just started, far fewer would be answered.
  await visit(null, ALONE_MS);
  return {
    ...ours,
    measureSizes,
    beside: {
      async begin() {
        // A page that nobody has looked at for a while is read first.
        await visit(perSecond, FIRST_MS);
        visiting = visitAlways().catch(messageOf);
      },
      async end() {
        visitors.stop();
        return visiting;
      },
    },
    async close() {
      visitors.close();
      await dashboard.stop();
      await ours.close();
    },
  };
}
