// What a process logs: one JSON line an event, a line for as many requests as the operator asked for, no secret, none
// for each award.
import { afterEach, expect, test, vi } from "vitest";
import { z } from "zod";
import { expectResponse, expectProblem } from "../support/responses.ts";
import { makeClanCaller, type ClanCaller } from "../support/clan-caller.ts";
import { useWorld } from "../support/use-api.ts";
import { startProcess, type RealProcess } from "../support/processes.ts";

const Line = z.looseObject({ level: z.number(), time: z.number(), name: z.string(), pid: z.number(), msg: z.string() });

// Each test starts processes, and a busy machine takes its time for that.
vi.setConfig({ testTimeout: 120_000 });

const world = await useWorld();
const processes: RealProcess[] = [];
afterEach(() => Promise.all(processes.splice(0).map((process) => process.stop())));

async function start(env: Record<string, string>): Promise<{ process: RealProcess; clan: ClanCaller }> {
  const process = startProcess("api", { MONGO_URL: world.mongoUrl, REDIS_URL: world.redisUrl, ...env });
  processes.push(process);
  const { port } = await process.ready();
  return { process, clan: await makeClanCaller(world, port) };
}

/** All that was logged, once the process has ended. */
async function linesOf(process: RealProcess): Promise<z.infer<typeof Line>[]> {
  expect(await process.stop()).toBe(0);
  return process
    .output()
    .trim()
    .split("\n")
    .map((line) => Line.parse(JSON.parse(line)));
}

async function call(clan: ClanCaller): Promise<(string | null)[]> {
  const [applied, malformed, unknown] = [
    await clan.award("m", { amount: 1 }),
    await clan.award("m", { amount: "x" }),
    await clan.with("cxp_wrong").get(""),
  ];
  expectResponse("apply-award", applied);
  expectProblem(malformed, 400, "invalid_request");
  expectProblem(unknown, 401, "key_invalid");
  return [applied, malformed, unknown].map((reply) => reply.headers.get("request-id"));
}

test("by default, only requests that are rejected because of their API key are logged", async () => {
  const { process, clan } = await start({});
  await call(clan);
  const events = (await linesOf(process)).map((line) => line.msg);
  expect(events).toContain("api.listening");
  expect(events.filter((event) => /^(request|award|commit_group)\./.test(event))).toStrictEqual(["request.rejected"]);
});

test("with a sample of 1, each request is logged in one line with its ID and no secret", async () => {
  const { process, clan } = await start({ REQUEST_LOG_SAMPLE: "1" });
  const requestIds = await call(clan);
  const lines = (await linesOf(process)).filter((line) => line.msg === "request.completed");
  const expected = [
    { method: "POST", route: "apply-award", status: 200 },
    { method: "POST", route: "apply-award", status: 400 },
    { method: "GET", route: "read-clan", status: 401 },
  ];
  const ofAll = { level: 30, name: "api", pid: process.pid, msg: "request.completed" };
  const measured = { time: expect.any(Number), ms: expect.any(Number) };
  expect(lines).toStrictEqual(
    expected.map((facts, index) => ({ ...ofAll, ...measured, ...facts, requestId: requestIds[index] })),
  );
  for (const secret of [clan.key, "cxp_wrong"]) expect(process.output()).not.toContain(secret);
});

test("no line at any level names a member, even if MongoDB quotes one in an error", async () => {
  // Without Redis, processes that award a member at the same time conflict.
  const env = { LOG_LEVEL: "trace", REQUEST_LOG_SAMPLE: "1", REDIS_URL: "redis://127.0.0.1:1" };
  const [first, second] = [await start(env), await start(env)];
  const { clan } = first;
  const elsewhere = clan.on((await second.process.ready()).port);
  const haveConflicted = () => [first, second].some(({ process }) => process.output().includes("E11000"));
  for (let pair = 0; pair < 10 || !haveConflicted(); pair += 1) {
    const both = await Promise.all([clan, elsewhere].map((caller) => caller.award("person-4711", { amount: 1 })));
    for (const applied of both) expectResponse("apply-award", applied);
  }
  expectProblem(await clan.award("person-4711", { amount: "x" }), 400, "invalid_request");
  const lines = [...(await linesOf(first.process)), ...(await linesOf(second.process))];
  expect(lines.filter((line) => JSON.stringify(line).includes("E11000")).length).toBeGreaterThan(0);
  expect(lines.filter((line) => JSON.stringify(line).includes("person-4711"))).toStrictEqual([]);
});

test("with a smaller sample, some requests are logged and some are not", async () => {
  const { process, clan } = await start({ REQUEST_LOG_SAMPLE: "0.5" });
  // All or none of 60 would be a chance of one in 10^18.
  await Promise.all(Array.from({ length: 60 }, () => clan.get("")));
  const lines = (await linesOf(process)).filter((line) => line.msg === "request.completed");
  expect(lines.length).toBeGreaterThan(0);
  expect(lines.length).toBeLessThan(60);
});
