// A Roblox server in real Luau, with the services of roblox.luau in this folder. Its clock is virtual: it stops while
// an answer is in progress, and jumps to the next timer if there is nothing else to do. So minutes take milliseconds.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type * as LuauWeb from "luau-web";
import { root } from "../../../../scripts/paths.js";
import { seedOfRun } from "../../../support/seed.ts";

export type SentRequest = { at: number; url: string; method: string; headers: Record<string, string>; body?: string };
/** `raise`: what RequestAsync raises; "silence": it never returns. `afterSeconds`: on the server's clock. */
export type Answered = Response | { response: Response; afterSeconds: number } | { raise: string } | "silence";
export type Respond = (request: SentRequest) => Answered | Promise<Answered>;

/** To the real API, as Roblox would: an error where no answer comes. */
export const network: Respond = ({ url, method, headers, body }) =>
  fetch(url, { method, headers, ...(body === undefined ? {} : { body }) });

export type GameServer = {
  /** Runs a script, and all that happens meanwhile, until it ends. Resolves with what it returned. */
  run(source: string): Promise<any>;
  /** Starts a script; `ended` resolves when it has ended, which needs `advance`, `shutDown` or another `run`. */
  start(source: string): Promise<{ ended: Promise<any> }>;
  advance(seconds: number): Promise<void>;
  /** Calls what was bound to the close and resolves when all of it has returned, with the seconds that took. */
  shutDown(): Promise<number>;
  join(userId: number, name?: string): Promise<void>;
  leave(userId: number): Promise<void>;
  requests: SentRequest[];
  warnings: string[];
  now(): number;
};

type Report = {
  now: number;
  nextAt?: number;
  requests: (Omit<SentRequest, "at"> & { id: number })[];
  warnings: string[];
  ended?: Record<string, { value?: string; problem?: string }>;
};
type Step = (command: string, chunk?: unknown) => Promise<[string]>;

const here = (file: string): string => join(root, file);
const standIn = readFileSync(here("test/clients/luau/support/roblox.luau"), "utf8");
const module = readFileSync(here("clients/luau/src/init.luau"), "utf8");
const STARTS_AT = new Date("2026-11-22T10:00:00Z");
let serversMade = 0;

/** Each has its own Luau: all states of one share 18 MB, which no state frees. */
async function makeLuau(number: number): Promise<LuauWeb.LuauState> {
  // luau-web 1.4.0 has two builds and takes the one for JSPI where it can. In that one, pcall catches nothing.
  Reflect.deleteProperty(Reflect.get(globalThis, "WebAssembly") as object, "Suspending");
  const luau = (await import(`${import.meta.resolve("luau-web")}?${number}`)) as typeof LuauWeb;
  return luau.LuauState.createAsync();
}

export type ServerOptions = {
  respond: Respond;
  /** null: the secrets store has none. */
  secret?: string | null;
  /** Of math.random; by default one of the run. */
  chance?: number;
  studio?: boolean;
  placeId?: number;
  /** Without them, there is no DataStoreService. */
  stores?: { respond: (server: number, request: SentRequest) => Answered };
  /** What os.time says when the server starts. */
  startsAt?: Date;
  /** How a header's name is written when it arrives; lower case by default. */
  headerCase?: (name: string) => string;
};

export async function startGameServer(options: ServerOptions): Promise<GameServer> {
  serversMade += 1;
  const seed = serversMade;
  const state = await makeLuau(seed);
  const [step] = (await state.loadstring(standIn, "roblox", true)()) as [Step];
  const requests: SentRequest[] = [];
  const warnings: string[] = [];
  const arrived: object[] = [];
  const ends = new Map<string, { resolve: (value: unknown) => void; reject: (error: Error) => void }>();
  let [now, nextAt, inFlight, ids] = [1000, undefined as number | undefined, 0, 0];
  let wakeUp = (): void => {};

  async function send(command: object, chunk?: unknown): Promise<void> {
    const [json] = await step(JSON.stringify({ ...command, now }), chunk);
    const report = JSON.parse(json) as Report;
    nextAt = report.nextAt;
    warnings.push(...report.warnings);
    for (const [id, { value, problem }] of Object.entries(report.ended ?? {})) {
      const end = ends.get(id);
      ends.delete(id);
      if (problem === undefined) end?.resolve(value === undefined ? undefined : JSON.parse(value));
      else end?.reject(new Error(problem));
    }
    for (const { id, ...request } of report.requests)
      void answer(id, { ...request, headers: request.headers ?? {}, at: now });
  }

  /** Counted in flight until its answer has been handed in, unless it is to arrive later on the server's clock. */
  async function answer(id: number, request: SentRequest): Promise<void> {
    const isStore = request.url === "datastore:";
    if (!isStore) requests.push(request);
    inFlight += 1;
    let handed: object | undefined;
    let afterSeconds = 0;
    try {
      const answered = isStore ? options.stores?.respond(seed, request) : await options.respond(request);
      if (answered === undefined) throw new Error("no data stores");
      if (answered === "silence") handed = undefined;
      else if (answered instanceof Response)
        handed = { kind: "answer", id, response: await asRoblox(answered, options.headerCase) };
      else if ("raise" in answered) handed = { kind: "answer", id, problem: answered.raise };
      else {
        handed = { kind: "answer", id, response: await asRoblox(answered.response, options.headerCase) };
        ({ afterSeconds } = answered);
      }
    } catch (error) {
      handed = { kind: "answer", id, problem: `HttpError: ConnectFail (${String(error)})` };
    }
    inFlight -= 1;
    if (handed) arrived.push(afterSeconds > 0 ? { kind: "later", seconds: afterSeconds, command: handed } : handed);
    wakeUp();
  }

  /** One thing that can happen now. False: nothing can, unless time goes on. */
  async function happen(): Promise<boolean> {
    const command = arrived.shift();
    if (command) {
      await send(command);
      return true;
    }
    if (inFlight === 0) return false;
    await new Promise<void>((resolve) => (wakeUp = resolve));
    return true;
  }

  async function until(isDone: () => boolean, limit = Infinity): Promise<void> {
    while (!isDone()) {
      if (await happen()) continue;
      if (nextAt === undefined || nextAt > limit) {
        if (limit === Infinity) throw new Error("nothing will ever happen");
        now = limit;
        await send({});
        if (nextAt === undefined || nextAt > limit) return;
        continue;
      }
      now = Math.max(now, nextAt);
      await send({});
    }
  }

  function expectEnd(): { id: string; ended: Promise<unknown>; isDone: () => boolean } {
    ids += 1;
    const id = String(ids);
    const ended = new Promise((resolve, reject) => ends.set(id, { resolve, reject }));
    ended.catch(() => {});
    return { id, ended, isDone: () => !ends.has(id) };
  }

  async function begin(source: string): Promise<ReturnType<typeof expectEnd>> {
    const end = expectEnd();
    await send({ kind: "run", id: end.id }, state.loadstring(source, "script", true));
    return end;
  }

  const secret = options.secret === undefined ? "test-key" : options.secret;
  await send({
    kind: "configure",
    seed,
    chance: options.chance ?? seedOfRun() + seed,
    startsAt: Number(options.startsAt ?? STARTS_AT) / 1000,
    studio: options.studio ?? false,
    placeId: options.placeId ?? 1818,
    stores: options.stores !== undefined,
    ...(secret === null ? {} : { secret }),
  });
  await send({ kind: "useModule" }, state.loadstring(module, "ClanXP", true));

  return {
    async run(source) {
      const end = await begin(source);
      await until(end.isDone);
      return end.ended;
    },
    start: async (source) => ({ ended: (await begin(source)).ended }),
    advance: (seconds) => until(() => false, now + seconds),
    async shutDown() {
      const startedAt = now;
      const end = expectEnd();
      await send({ kind: "close", id: end.id });
      await until(end.isDone);
      await end.ended;
      return now - startedAt;
    },
    join: (userId, name = `Player${userId}`) => send({ kind: "join", userId, name }),
    leave: (userId) => send({ kind: "leave", userId }),
    requests,
    warnings,
    now: () => now,
  };
}

async function asRoblox(response: Response, headerCase = (name: string): string => name): Promise<object> {
  const headers = [...response.headers].map(([name, value]) => [headerCase(name), value]);
  return {
    Success: response.ok,
    StatusCode: response.status,
    StatusMessage: response.statusText,
    Headers: Object.fromEntries(headers) as object,
    Body: await response.text(),
  };
}
