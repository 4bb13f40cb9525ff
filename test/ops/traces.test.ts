// Traces of real processes, as a collector receives them. Without a configured collector, nothing of OpenTelemetry is
// loaded.
import { readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { expectResponse } from "../support/responses.ts";
import { makeClanCaller } from "../support/clan-caller.ts";
import { useWorld } from "../support/use-api.ts";
import { startProcess, type RealProcess } from "../support/processes.ts";
import { startOtlpReceiver, type ReceivedSpan } from "./otlp-receiver.ts";
import { listen } from "../support/listen.ts";
import { tempDir } from "../support/temp-dir.ts";
import { until } from "../support/until.ts";

// Processes are started here, and a busy machine takes its time for that.
vi.setConfig({ testTimeout: 120_000 });

const [world, receiver] = [await useWorld(), await startOtlpReceiver()];
/** What most tests call. The API has a configured name, the worker the default one. */
let api: Started;
const processes: RealProcess[] = [];
beforeAll(async () => {
  const env = traced({
    OTEL_SERVICE_NAME: "xp",
    OTEL_RESOURCE_ATTRIBUTES: "service.name=other",
    REQUEST_LOG_SAMPLE: "1",
  });
  [api] = await Promise.all([start("api", env), start("worker", traced())]);
});
afterAll(async () => {
  await Promise.all(processes.map((process) => process.stop()));
  await receiver.close();
});

type Started = { process: RealProcess; port: number; opsPort: number };
type Env = Record<string, string>;
async function start(role: "api" | "worker", env: Env, node: readonly string[] = []): Promise<Started> {
  const process = startProcess(role, { MONGO_URL: world.mongoUrl, REDIS_URL: world.redisUrl, ...env }, node);
  processes.push(process);
  return { process, ...(await process.ready()) };
}
const traced = (extra: Env = {}): Env => ({
  OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url,
  OTEL_BSP_SCHEDULE_DELAY: "50",
  ...extra,
});

const newTraceId = (): string => crypto.randomUUID().replaceAll("-", "");
const callerSpanId = "00f067aa0ba902b7";
const parentOf = (traceId: string, sampled = true): Record<string, string> => ({
  traceparent: `00-${traceId}-${callerSpanId}-0${sampled ? 1 : 0}`,
});

/** The trace's spans, once there is one of this name for each of `count`. */
async function spansOf(traceId: string, name: string, count = 1): Promise<ReceivedSpan[]> {
  const of = (): ReceivedSpan[] => receiver.spans.filter((span) => span.traceId === traceId);
  await until(async () => of().filter((span) => span.name === name).length >= count);
  return of();
}
const named = (spans: readonly ReceivedSpan[], name: string): ReceivedSpan => {
  const found = spans.find((span) => span.name === name);
  if (!found) throw new Error(`no span ${name} among ${spans.map((span) => span.name).join(", ")}`);
  return found;
};

test("an award belongs to the caller's trace, from request to commit, and its IDs are in the log", async () => {
  const clan = await makeClanCaller(world, api.port);
  const traceId = newTraceId();
  const reply = await clan.award("m", { amount: 5 }, parentOf(traceId));
  expectResponse("apply-award", reply);

  const spans = await spansOf(traceId, "POST apply-award");
  const [request, group, commit] = ["POST apply-award", "commit-group", "commit"].map((name) => named(spans, name));
  expect(spans.length).toBe(3);
  expect(request).toMatchObject({ parentId: callerSpanId, service: "xp" });
  expect(request?.attributes).toStrictEqual({
    "http.request.method": "POST",
    "http.route": "apply-award",
    "http.response.status_code": 200,
    "clanxp.request_id": reply.headers.get("request-id"),
  });
  expect(group).toMatchObject({ parentId: request?.spanId, attributes: { "clanxp.commit_group.awards": 1 } });
  expect(commit).toMatchObject({ parentId: group?.spanId, attributes: { "clanxp.commit.result": "committed" } });
  expect(JSON.stringify(receiver.spans)).not.toContain(clan.key);

  await api.process.loggedOrExited("request.completed");
  const lines = api.process
    .output()
    .split("\n")
    .filter((line) => line.includes("request.completed"));
  expect(lines.map((line) => JSON.parse(line) as unknown)).toContainEqual(
    expect.objectContaining({ requestId: reply.headers.get("request-id"), traceId, route: "apply-award", status: 200 }),
  );
});

test("the span of a commit group is a child of one request and is linked with the others in both directions", async () => {
  const clan = await makeClanCaller(world, api.port);
  const traceIds = Array.from({ length: 40 }, newTraceId);
  const replies = await Promise.all(
    traceIds.map((traceId, n) => clan.award(`l${n}`, { amount: 1 }, parentOf(traceId))),
  );
  for (const reply of replies) expectResponse("apply-award", reply);
  await Promise.all(traceIds.map((traceId) => spansOf(traceId, "POST apply-award")));
  const ours = receiver.spans.filter((span) => traceIds.includes(span.traceId));
  const groups = ours.filter((span) => span.name === "commit-group");
  expect(groups.reduce((sum, group) => sum + Number(group.attributes["clanxp.commit_group.awards"]), 0)).toBe(40);
  const shared = groups.filter((group) => group.links.length > 0);
  expect(shared.length).toBeGreaterThan(0);
  for (const group of shared) {
    expect(group.links.length).toBe(Number(group.attributes["clanxp.commit_group.awards"]) - 1);
    for (const link of group.links) {
      const request = ours.find((span) => span.spanId === link.spanId);
      expect(request?.links).toStrictEqual([{ traceId: group.traceId, spanId: group.spanId }]);
    }
  }
});

test("a batch is one trace from the API through the job to the worker's commit", async () => {
  const clan = await makeClanCaller(world, api.port);
  const traceId = newTraceId();
  const awards = Array.from({ length: 3 }, (_, n) => ({ platformId: `b${n}`, amount: 1 }));
  expect(expectResponse("submit-batch", await clan.submit(awards, parentOf(traceId))).applied).toBe(3);

  const spans = await spansOf(traceId, "process batches");
  await spansOf(traceId, "POST submit-batch");
  const commit = named(spans, "commit");
  const byId = new Map((await spansOf(traceId, "POST submit-batch")).map((span) => [span.spanId, span]));
  const up = (span: ReceivedSpan | undefined): ReceivedSpan[] => (span ? [span, ...up(byId.get(span.parentId))] : []);
  const path = up(commit);
  const inWorker = ["clanxp-worker", "clanxp-worker", "clanxp-worker"];
  expect(path.map((span) => span.service)).toStrictEqual([...inWorker, "xp", "xp"]);
  expect(path.at(-1)).toMatchObject({ name: "POST submit-batch", parentId: callerSpanId });
  const carried = spans
    .filter((span) => span.name === "commit-group")
    .map((span) => Number(span.attributes["clanxp.commit_group.awards"]));
  expect(carried.reduce((sum, count) => sum + count, 0)).toBe(3);
  // BullMQ's housekeeping creates no traces.
  expect(receiver.spans.filter((span) => span.parentId === "").map((span) => span.name)).not.toContainEqual(
    expect.stringMatching(/lock|stall|next/i),
  );
});

test("the configured sampler and the caller's decision are respected", async () => {
  const [never, asCallersSay] = await Promise.all([
    start("api", traced({ OTEL_TRACES_SAMPLER: "always_off", OTEL_SERVICE_NAME: "never" })),
    start("api", traced({ OTEL_TRACES_SAMPLER: "parentbased_always_off", OTEL_SERVICE_NAME: "as-callers-say" })),
  ]);
  for (const sampled of [never, asCallersSay]) {
    const clan = await makeClanCaller(world, sampled.port);
    for (const headers of [{}, parentOf(newTraceId(), false), parentOf(newTraceId())]) {
      expectResponse("apply-award", await clan.award("s", { amount: 1 }, headers));
    }
    // What is left is sent before a process ends.
    expect(await sampled.process.stop()).toBe(0);
  }
  expect(receiver.spans.filter((span) => span.service === "never")).toStrictEqual([]);
  const sampled = () => receiver.spans.filter((span) => span.service === "as-callers-say").map((span) => span.name);
  // A process that ends waits for the receiver, which is in this process, for a second and a half at most.
  await until(() => sampled().length >= 3);
  expect(sampled().toSorted()).toStrictEqual(["POST apply-award", "commit", "commit-group"]);
});

test("an unreachable or unresponsive collector delays neither awards nor the exit of a process", async () => {
  const silent = createServer((socket) => socket.on("error", () => {}).resume());
  const port = await listen(silent);
  const apis = await Promise.all(
    [1, port].map((at) => start("api", traced({ OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${at}` }))),
  );
  for (const cutOff of apis) {
    const clan = await makeClanCaller(world, cutOff.port);
    for (let n = 0; n < 5; n += 1) expectResponse("apply-award", await clan.award("a", { amount: 1 }));
    expect(await cutOff.process.stop()).toBe(0);
  }
  silent.close();
});

test("an invalid traceparent is ignored", async () => {
  const clan = await makeClanCaller(world, api.port);
  const traceId = newTraceId();
  const wrong = [
    `ff-${traceId}-${callerSpanId}-01`,
    `00-${traceId}-${callerSpanId}-01-x`,
    `00-${traceId}0-${callerSpanId}-01`,
  ];
  const none = [`00-${"0".repeat(32)}-${callerSpanId}-01`, `00-${traceId}-${"0".repeat(16)}-01`, "x".repeat(5_000)];
  const parentsOf = async (traceparents: readonly string[]): Promise<string[]> => {
    const requestIds: (string | null)[] = [];
    for (const traceparent of traceparents)
      requestIds.push((await clan.get("", { traceparent })).headers.get("request-id"));
    const spans = (): ReceivedSpan[] =>
      receiver.spans.filter((span) => requestIds.includes(String(span.attributes["clanxp.request_id"])));
    await until(async () => spans().length === requestIds.length);
    return spans().map((span) => span.parentId);
  };
  expect(await parentsOf([...wrong, ...none])).toStrictEqual(["", "", "", "", "", ""]);
  expect(await parentsOf([`01-${traceId}-${callerSpanId}-01-later`, `00-${traceId}-${callerSpanId}-01`])).toStrictEqual(
    [callerSpanId, callerSpanId],
  );
});

test("OpenTelemetry is not loaded without an endpoint", async () => {
  const folder = tempDir();
  const loadedBy = async (env: Record<string, string>, role: "api" | "worker"): Promise<string> => {
    const log = join(folder, `${role}${Object.keys(env).length}`);
    writeFileSync(log, "");
    // Both kinds of modules are noted as they are resolved.
    const hook = `import { registerHooks } from "node:module"; import { appendFileSync } from "node:fs";
        registerHooks({ resolve(name, context, next) { const found = next(name, context);
          appendFileSync(${JSON.stringify(log)}, found.url + "\\n"); return found; } });`;
    const started = await start(role, env, ["--import", `data:text/javascript,${encodeURIComponent(hook)}`]);
    await started.process.stop();
    return readFileSync(log, "utf8");
  };
  const [on, offApi, offWorker] = await Promise.all([
    loadedBy(traced(), "api"),
    loadedBy({}, "api"),
    loadedBy({}, "worker"),
  ]);
  expect(on).toMatch(/@opentelemetry\/sdk-trace/);
  for (const off of [offApi, offWorker]) {
    expect(off).toMatch(/libs\/telemetry\/tracing/);
    // prom-client loads the API itself, which without an SDK is a handful of empty functions.
    const traces = off
      .split("\n")
      .filter((url) => /opentelemetry|bullmq-otel|open-telemetry/.test(url) && !url.includes("/@opentelemetry/api/"));
    expect(traces).toStrictEqual([]);
  }
});
