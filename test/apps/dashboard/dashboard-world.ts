// A dashboard in a separate world, its command line, and people who use it over HTTP as a browser would.
import { join } from "node:path";
import { z } from "zod";
import type { DashboardConfig } from "#runtime/process/config.ts";
import { startDashboard, type DashboardDeps as StartOptions } from "../../../apps/dashboard/compose.ts";
import { buildPages } from "../../../scripts/dashboard/built-pages.ts";
import { root } from "../../../scripts/paths.js";
import { cliOn, type CommandLine } from "../../support/cli.ts";
import { notifierSettings } from "../../support/destinations.ts";
import { readBody, type Reply } from "../../support/http.ts";
import { makeWorld, testLog, type World } from "../../support/world.ts";

export type DashboardWorld = {
  world: World;
  cli: CommandLine;
  url: string;
  /** One more dashboard on the same database. */
  startAnother(options?: Partial<StartOptions> & { changes?: Partial<DashboardConfig> }): Promise<string>;
  /** As long as `run` takes, MongoDB stores no new session of this account. */
  withoutSessionsOf<T>(accountName: string, run: () => Promise<T>): Promise<T>;
  /** As long as `run` takes, sessions can be read and nothing else. */
  withSessionsReadOnly(run: () => Promise<void>): Promise<void>;
  /** Invites an account and has it choose the password `PASSWORD`. */
  signedIn(...inviteArgs: string[]): Promise<Visitor>;
  close(): Promise<void>;
};

export type Visitor = {
  /** Sends the headers that browsers send from the dashboard's own pages, by default. */
  send(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Reply>;
  get(path: string): Promise<Reply>;
  post(path: string, body?: unknown): Promise<Reply>;
  /** That of the session, as `name=value`, or undefined before there is one. */
  cookie(): string | undefined;
  /** All cookies, as a browser sends them. */
  cookies(): string;
};

export const PASSWORD = "correct horse battery";
/** Rates of signing in for tests in which all visitors come from one address. */
export const unlimited = {
  perSource: 1_000,
  perAddress: 1_000,
  windowMs: 60_000,
  perAccount: 1_000,
  accountWindowMs: 60_000,
};
const Invitation = z.object({ link: z.string() });
const OPTIONS = {
  dashboardUrl: null,
  apiUrl: null,
  oidc: null,
  dashboardPort: 0,
  dashboardProxies: 0,
  secretsKey: notifierSettings.secretsKey,
  allowPrivate: notifierSettings.allowPrivate,
};

export async function makeDashboardWorld(): Promise<DashboardWorld> {
  await buildPages(() => {});
  const world = await makeWorld();
  const closers: (() => Promise<void>)[] = [];
  const pagesFolder = join(root, "apps", "dashboard", "dist");

  async function startAnother({
    changes = {},
    ...options
  }: Parameters<DashboardWorld["startAnother"]>[0] = {}): Promise<string> {
    const config = { ...world.config, ...OPTIONS, ...changes };
    const dashboard = await startDashboard({ config, pagesFolder, log: testLog, ...options });
    closers.push(() => dashboard.close());
    await dashboard.ready;
    return `http://127.0.0.1:${dashboard.port}`;
  }

  async function withoutSessionsOf<T>(accountName: string, run: () => Promise<T>): Promise<T> {
    const accept = (validator: object) => world.database.db().command({ collMod: "sessions", validator });
    await accept({ accountName: { $ne: accountName } });
    try {
      return await run();
    } finally {
      await accept({});
    }
  }

  async function withSessionsReadOnly(run: () => Promise<void>): Promise<void> {
    const db = world.database.db();
    await db.renameCollection("sessions", "stored_sessions");
    await db.createCollection("sessions", { viewOn: "stored_sessions", pipeline: [] });
    try {
      await run();
    } finally {
      await db.dropCollection("sessions");
      await db.renameCollection("stored_sessions", "sessions");
    }
  }

  const url = await startAnother();
  const cli = cliOn({ MONGO_URL: world.mongoUrl, DASHBOARD_URL: url });
  return {
    world,
    cli,
    url,
    startAnother,
    withoutSessionsOf,
    withSessionsReadOnly,
    async signedIn(...inviteArgs) {
      const { answer } = await cli.json("account", "invite", ...inviteArgs);
      const visitor = makeVisitor(url);
      const used = await visitor.post("/api/link/use", { token: tokenIn(answer), password: PASSWORD });
      if (used.status !== 200) throw new Error(JSON.stringify(used.body));
      return visitor;
    },
    async close() {
      await Promise.all(closers.map((close) => close()));
      await world.close();
    },
  };
}

/** The secret part of an invitation's link. */
export function tokenIn(answer: unknown): string {
  return new URL(Invitation.parse(answer).link).hash.slice(1);
}

/** Somebody with a browser and no session yet. */
export function makeVisitor(url: string): Visitor {
  const jar = new Map<string, string>();
  const cookies = () => [...jar].map(([name, value]) => `${name}=${value}`).join("; ");

  async function send(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<Reply> {
    const response = await fetch(`${url}${path}`, {
      method,
      redirect: "manual",
      headers: {
        ...(method === "GET" ? {} : { origin: url }),
        ...(jar.size === 0 ? {} : { cookie: cookies() }),
        ...(body === undefined ? {} : { "content-type": "application/json" }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    for (const set of response.headers.getSetCookie()) {
      const [name = "", value = ""] = set.split(";")[0]?.split("=") ?? [];
      if (value === "") jar.delete(name);
      else jar.set(name, value);
    }
    return {
      status: response.status,
      headers: response.headers,
      body: readBody(await response.text(), response.headers),
    };
  }
  function cookie(): string | undefined {
    return cookies()
      .split("; ")
      .find((pair) => /^(?:__Host-)?clanxp(?:-\d+)?=/.test(pair));
  }
  return { send, get: (path) => send("GET", path), post: (path, body) => send("POST", path, body), cookie, cookies };
}
