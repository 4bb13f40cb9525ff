// Schemathesis draws thousands of requests, good and bad, from the OpenAPI document that a real API serves, and holds
// every answer against it. Where Python or pip is missing it is left out, and says so.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { endpointNames, type EndpointName } from "#contract/endpoints.ts";
import { AMOUNT_MAX_LIMIT } from "#domain/bounds.ts";
import { scopes } from "#domain/scope.ts";
import { root } from "../../scripts/paths.js";
import { bringSchemathesis } from "../../scripts/tools/schemathesis.ts";
import { cliOn } from "../support/cli.ts";
import { tempDir } from "../support/temp-dir.ts";
import { until } from "../support/until.ts";
import { makeWorld, type World } from "../support/world.ts";
import { endpointAt } from "./endpoint-at.ts";
import { membersBesideTheirEntries, readStored } from "./stored.ts";
import { startProcess, type RealProcess } from "../support/processes.ts";
import { testActor } from "../support/actor.ts";

/**
 * Another one draws other requests. How many is a matter of schemathesis.toml and not of the clock: a slow machine
 * tries as much as a fast one.
 */
const SEED = process.env["SCHEMATHESIS_SEED"] ?? "1";

const Status = z.object({ status: z.string() });
const Named = z.object({ name: z.string() });
const Har = z.object({
  log: z.object({
    entries: z.array(
      z.object({
        request: z.object({ method: z.string(), url: z.string(), headers: z.array(Named) }),
        response: z.object({
          status: z.number(),
          headers: z.array(Named),
          content: z.object({ text: z.string().default("") }),
        }),
      }),
    ),
  }),
});

const runModule = await bringSchemathesis();

describe.skipIf(runModule === null)("Schemathesis", { timeout: 900_000 }, () => {
  let world: World;
  const running: RealProcess[] = [];
  beforeAll(async () => {
    world = await makeWorld();
  });
  afterAll(async () => {
    await Promise.all(running.map((process) => process.stop()));
    await world.close();
  });

  test(`finds only documented responses, and no change by rejected requests, for generated requests (seed ${SEED})`, async () => {
    const servers = { MONGO_URL: world.mongoUrl, REDIS_URL: world.redisUrl };
    running.push(startProcess("api", servers), startProcess("worker", servers));
    const [api] = running;
    const { port = 0 } = (await api?.ports()) ?? {};
    const { clan, key } = await world.makeClan({ amountMax: AMOUNT_MAX_LIMIT }, scopes);
    await world.keys.limit(key.split("_")[1] ?? "", { requestsPerSecond: null, awardsPerSecond: null }, testActor);
    const url = `http://127.0.0.1:${port}`;
    await until(async () => (await fetch(`${url}/v0/clans/${clan.clanId}`, { headers: { "api-key": key } })).ok);
    const cli = cliOn({ ...servers, CLANXP_ACTOR: "ada" });
    await cli.json("board", "set", clan.clanId, "weekly", "--every", "week");

    const before = await readStored(world);

    const folder = tempDir();
    const har = join(folder, "har.json");
    const options = ["--seed", SEED, "--report-har-path", har, "--output-sanitize", "false", "--no-color"];
    const config = join(root, "test/security/schemathesis.toml");
    const args = ["--config-file", config, "run", `${url}/docs/openapi.json`, ...options];
    const env = { KEY: key, CLAN_ID: clan.clanId };
    const ended = await runModule?.("schemathesis.cli", args, { cwd: folder, env });
    expect(ended?.ok ? "" : ended?.output).toBe("");

    const { entries } = Har.parse(JSON.parse(readFileSync(har, "utf8"))).log;
    const answered = (isSuch: (status: number) => boolean) =>
      new Set(entries.filter(({ response }) => isSuch(response.status)).map(endpointOf));
    const [accepted, rejected] = [answered((status) => status < 300), answered((status) => status >= 400)];
    expect(endpointNames.filter((name) => !accepted.has(name) || !rejected.has(name))).toStrictEqual([]);
    expect(entries.filter(({ response }) => response.status >= 500)).toStrictEqual([]);
    for (const process of running)
      expect(process.output()).not.toMatch(/process\.(?:uncaught|stopping)|request\.failed/);

    const fresh = entries.filter(
      ({ request, response }) => request.method === "POST" && response.status < 300 && !isReplay(response),
    );
    await until(async () => (await world.batches.backlog()).unfinished === 0);
    expect(await readStored(world)).toStrictEqual({
      settings: before.settings,
      entries: fresh.reduce((sum, one) => sum + entriesOf(one), 0),
      batches: fresh.filter(isRecordedBatch).length,
    });
    await expect.poll(() => membersBesideTheirEntries(world)).toStrictEqual([]);
  });
});

type Exchange = z.infer<typeof Har>["log"]["entries"][number];

const pathOf = ({ request }: Exchange): string => new URL(request.url).pathname;

/** Undefined for a path or a method that no endpoint has. */
const endpointOf = (one: Exchange): EndpointName | undefined => endpointAt(one.request.method, pathOf(one));

/**
 * Entries that the answer acknowledges: one for an award, one for each applied award of a call; what a batch applies is
 * not counted among single awards.
 */
function entriesOf(one: Exchange): number {
  if (/\/members\/[^/]+\/xp$/.test(pathOf(one))) return 1;
  if (!pathOf(one).endsWith("/awards")) return 0;
  const { results } = z.object({ results: z.array(Status) }).parse(JSON.parse(one.response.content.text));
  return results.filter(({ status }) => status === "applied").length;
}

/** Every batch but an empty one that nobody could ask for again. */
function isRecordedBatch(one: Exchange): boolean {
  if (!/^\/v0\/clans\/[^/]+\/xp$/.test(pathOf(one))) return false;
  const isKeyed = one.request.headers.some(({ name }) => name.toLowerCase() === "idempotency-key");
  const { results } = z.object({ results: z.array(z.unknown()) }).parse(JSON.parse(one.response.content.text));
  return isKeyed || one.response.status === 202 || results.length > 0;
}

function isReplay({ headers }: { headers: { name: string }[] }): boolean {
  return headers.some(({ name }) => name.toLowerCase() === "idempotency-replayed");
}
