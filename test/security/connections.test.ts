// Connections that only take up room: bounded, ended in time, and no harm to callers who call.
import { once } from "node:events";
import { readFileSync, readdirSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makeClanCaller, type ClanCaller } from "../support/clan-caller.ts";
import { awardText, bearer, openLine, requestText, type Line } from "../support/raw-http.ts";
import { makeWorld } from "../support/world.ts";
import { startProcess, type RealProcess } from "../support/processes.ts";

const world = await makeWorld();
const sockets = new Set<Socket>();
afterAll(async () => {
  for (const socket of sockets) socket.destroy();
  await world.close();
});

/** Connections that say nothing more than `text`; `open()` are those that the server has not closed. */
async function idleSockets(port: number, count: number, text = ""): Promise<{ open: () => Socket[] }> {
  const mine: Socket[] = [];
  for (let made = 0; made < count; made += 250) {
    const some = Array.from({ length: Math.min(250, count - made) }, () => connect({ port, host: "127.0.0.1" }));
    for (const socket of some) {
      mine.push(socket);
      sockets.add(socket);
      socket.on("error", () => {}).resume();
      if (text !== "") socket.write(text);
    }
    await Promise.all(some.map((socket) => once(socket, "connect").catch(() => {})));
  }
  return { open: () => mine.filter((socket) => !socket.closed) };
}

const readText = (clan: ClanCaller): string => requestText("GET", `/v0/clans/${clan.clanId}`, [bearer(clan)]);

async function expectServed(line: Line, clan: ClanCaller): Promise<void> {
  line.write(readText(clan));
  expect((await line.reply()).status).toBe(200);
}

test("a connection is closed when it has had no request for as long as the setting says, and not before", async () => {
  const [short, long] = await Promise.all([1, 620].map((keepAliveS) => world.startApi({ config: { keepAliveS } })));
  const clan = await makeClanCaller(world, short?.port ?? 0);
  const lines = await Promise.all([short, long].map((api) => openLine(api?.port ?? 0)));
  const seen: (string | null)[] = [];
  for (const line of lines) {
    line.write(readText(clan));
    seen.push((await line.reply()).headers.get("keep-alive"));
  }
  expect(seen).toStrictEqual(["timeout=1", "timeout=620"]);
  await lines[0]?.closed();
  if (lines[1]) await expectServed(lines[1], clan);
});

describe("at the bound of connections,", () => {
  const MAX = 40;
  let port: number;
  let clan: ClanCaller;
  beforeAll(async () => {
    ({ port } = await world.startApi({ connectionsMax: MAX }));
    clan = await makeClanCaller(world, port);
  });

  test("idle connections without a valid API key are closed first, the longest idle first, and those with a key last", async () => {
    const regular = await openLine(port);
    await expectServed(regular, clan);
    const strangers = await idleSockets(port, 150);
    await expect.poll(() => strangers.open().length).toBeLessThan(MAX);

    await expectServed(regular, clan);
    const newcomer = await openLine(port);
    await expectServed(newcomer, clan);
    expect((await clan.get("")).status).toBe(200);
    // Those that came last are those that stayed.
    const left = strangers.open();
    expect(left.length).toBeGreaterThan(MAX / 2);
    for (const socket of left) socket.destroy();
    for (const line of [regular, newcomer]) line.destroy();
  });

  test("idle connections with an API key are closed next, but never those with a request in progress", async () => {
    const busy = await openLine(port);
    // Its body is awaited.
    busy.write(awardText(clan, "m", "", ["Content-Length", "12"]));
    const regulars = await idleSockets(port, 60, readText(clan));
    await expect.poll(() => regulars.open().length).toBeLessThan(MAX);
    // Before its answer each has a request in progress, too.
    await expect.poll(() => regulars.open().every(({ bytesRead }) => bytesRead > 0)).toBe(true);
    const newcomer = await openLine(port);
    await expectServed(newcomer, clan);
    busy.write('{"amount":1}');
    expect((await busy.reply()).status).toBe(200);
    for (const socket of regulars.open()) socket.destroy();
    for (const line of [busy, newcomer]) line.destroy();
  });
});

describe("a slow connection", () => {
  test("that sends headers byte by byte is closed in time, and 300 of them do not affect other callers", async () => {
    const { port } = await world.startApi({ deadlines: { headersMs: 1_500, requestMs: 1_500, checkEveryMs: 50 } });
    const clan = await makeClanCaller(world, port);
    // Its connection is open from here on: a new one would be slow itself if this process were paused.
    await expect.poll(() => clan.get("").catch(() => null)).toMatchObject({ status: 200 });
    const drips = await idleSockets(port, 300, "POST /v0/clans/x/xp HTTP/1.1\r\nHost: x\r\nX-Slow: ");
    const dripping = setInterval(() => {
      for (const socket of drips.open()) socket.write("a");
    }, 100);
    try {
      for (let served = 0; served < 2 || drips.open().length > 0; served += 1)
        expect((await clan.award("good", { amount: 1 })).status).toBe(200);
    } finally {
      clearInterval(dripping);
    }
  });

  test("whose caller never reads responses is closed, and uses only the memory of a few responses", async () => {
    const { port } = await world.startApi({ deadlines: { silenceMs: 500 } });
    const socket = connect({ port, host: "127.0.0.1" });
    sockets.add(socket);
    socket.on("error", () => {}).pause();
    await once(socket, "connect");
    const page = requestText("GET", "/docs/reference/errors.md").repeat(2_000);
    socket.write(page);
    // A socket that does not read is not notified: its next write fails.
    const probing = setInterval(() => socket.write(page), 100);
    await new Promise((resolve) => socket.once("close", resolve));
    clearInterval(probing);
    const clan = await makeClanCaller(world, port);
    // Beside other files, a response may take longer than this API keeps a silent connection open.
    await expect.poll(() => clan.get("").catch(() => null)).toMatchObject({ status: 200 });
  });

  test("that waits for a batch is not closed as idle", async () => {
    const { port } = await world.startApi({ deadlines: { silenceMs: 10_000 } });
    const clan = await makeClanCaller(world, port);
    expect((await clan.submit([{ platformId: "b", amount: 0 }], { prefer: "wait=1" })).status).toBe(202);
  });
});

describe("thousands of idle connections", { timeout: 120_000 }, () => {
  const requested = Math.min(10_000, openFilesMax() - 2_000);
  let api: RealProcess;
  beforeAll(() => {
    api = startProcess("api", { MONGO_URL: world.mongoUrl, REDIS_URL: world.redisUrl });
  });
  afterAll(() => api.stop());

  test.skipIf(process.platform !== "linux")(
    `are bounded in a real process, which serves other callers during ${requested} of them`,
    async () => {
      const { port } = await api.ready();
      const clan = await makeClanCaller(world, port);
      const regular = await openLine(port);
      await expectServed(regular, clan);
      await idleSockets(port, requested);
      for (let turn = 0; turn < 20; turn += 1) expect((await clan.award("good", { amount: 1 })).status).toBe(200);
      await expectServed(regular, clan);
      expect(readdirSync(`/proc/${api.pid}/fd`).length).toBeLessThan(5_200);
      regular.destroy();
    },
  );
});

/** Node raises its own limit to the hard one. */
function openFilesMax(): number {
  if (process.platform !== "linux") return 0;
  const [, soft = "0"] = /^Max open files +(\d+)/m.exec(readFileSync("/proc/self/limits", "utf8")) ?? [];
  return Number(soft);
}
