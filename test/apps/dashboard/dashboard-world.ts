// A dashboard in a separate world, its command line, and people who use it over HTTP as a browser would.
import { join } from "node:path";
import { afterAll, onTestFinished, TestRunner } from "vitest";
import { z } from "zod";
import { withTimeout } from "#async/with-timeout.ts";
import type { ClanRole } from "#domain/account.ts";
import type { Clan } from "#domain/clan.ts";
import { systemClock } from "#process/clock.ts";
import type { DashboardConfig } from "#process/config.ts";
import { digest, randomText } from "#process/secrets.ts";
import { makeAccountStore } from "#accounts/store/account-store.ts";
import { makeSessionStore } from "#accounts/store/session-store.ts";
import { makeSessions } from "#accounts/sessions.ts";
import { startDashboard, type DashboardDeps as StartOptions } from "../../../apps/dashboard/compose.ts";
import { buildPages } from "../../../scripts/dashboard/built-pages.ts";
import { root } from "../../../scripts/paths.js";
import { cliOn } from "../../support/cli.ts";
import { notifierSettings } from "../../support/destinations.ts";
import { readBody, type Reply } from "../../support/http.ts";
import { makeWorld, testLog } from "../../support/world.ts";

export type Visitor = {
  /** Sends the headers that browsers send from the dashboard's own pages, by default. */
  send(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Reply>;
  get(path: string): Promise<Reply>;
  post(path: string, body?: unknown): Promise<Reply>;
  /** That of the session, or of this kind, as `name=value`, or undefined before there is one. */
  cookie(kind?: "challenge" | "device"): string | undefined;
  /** All cookies, as a browser sends them. */
  cookies(): string;
};

export const PASSWORD = "correct horse battery";
/** Of `PASSWORD`, at a hundredth of the product's cost: a sign-in of each test would take longer than its pages. */
const PASSWORD_HASH = "$argon2id$v=19$m=256,t=1,p=1$Y2xhbnhwLXRlc3Qtc2FsdA$ZaXv+lKMHtzGsZqM+66m1vljU+/Q3n3LpwwVQDazdhw";
/** Rates of signing in for tests in which all visitors come from one address. */
export const unlimited = {
  perSource: 1_000,
  perAddress: 1_000,
  windowMs: 60_000,
  perAccount: 1_000,
  accountWindowMs: 60_000,
};
/** Vitest does not bound what a file does while its tests are collected. */
const OPEN_MS_MAX = 60_000;
const Invitation = z.object({ link: z.string() });
const OPTIONS = {
  dashboardUrl: null,
  apiUrl: null,
  oidc: null,
  dashboardPort: 0,
  dashboardProxies: 0,
  publicPages: true,
  secretsKey: notifierSettings.secretsKey,
  allowPrivate: notifierSettings.allowPrivate,
};

/** One for the tests of a file, closed when they end: call it where the file begins. */
export async function useDashboard() {
  const dashboard = await withTimeout(makeDashboardWorld(), OPEN_MS_MAX, "The servers have not answered");
  afterAll(() => dashboard.close());
  return dashboard;
}

async function makeDashboardWorld() {
  await buildPages(() => {});
  const world = await makeWorld();
  const closers: (() => Promise<void>)[] = [];
  const pagesFolder = join(root, "apps", "dashboard", "dist");

  /** One more dashboard on the same database, closed with the test that starts it, or else with this one. */
  async function startAnother({
    changes = {},
    ...options
  }: Partial<StartOptions> & { changes?: Partial<DashboardConfig> } = {}): Promise<string> {
    const config = { ...world.config, ...OPTIONS, ...changes };
    const dashboard = await startDashboard({ config, pagesFolder, log: testLog, ...options });
    if (TestRunner.getCurrentTest()) onTestFinished(() => dashboard.close());
    else closers.push(() => dashboard.close());
    await dashboard.ready;
    return `http://127.0.0.1:${dashboard.port}`;
  }

  /** As long as `run` takes, MongoDB stores no new session of this account. */
  async function withoutSessionsOf<T>(accountName: string, run: () => Promise<T>): Promise<T> {
    const accept = (validator: object) => world.database.db().command({ collMod: "sessions", validator });
    await accept({ accountName: { $ne: accountName } });
    try {
      return await run();
    } finally {
      await accept({});
    }
  }

  /** As long as `run` takes, sessions can be read and nothing else. */
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
  const sessions = makeSessions({
    sessions: makeSessionStore(world.database),
    accounts: makeAccountStore(world.database),
    clock: systemClock,
    digest,
    randomText,
  });
  const cli = cliOn({ MONGO_URL: world.mongoUrl, DASHBOARD_URL: url });

  /**
   * Stores a new account with the password `PASSWORD` and a session of it, as they are once a person has accepted an
   * invitation, without the audit records of that.
   */
  async function signedIn(name: string, role: ClanRole | "operator", clanId?: string): Promise<Visitor> {
    const grants = role === "operator" || clanId === undefined ? [] : [{ clanId, role }];
    const account = { _id: name, operator: role === "operator", grants, passwordHash: PASSWORD_HASH };
    const now = new Date();
    const facts = { ...account, generation: 2, createdAt: now, lastSignInAt: now, link: null, removedAt: null };
    await world.database.stored.accounts.insertOne(facts);
    const cookie = `clanxp-${new URL(url).port}=${await sessions.open({ name, generation: facts.generation })}`;
    return makeVisitor(url, cookie);
  }

  /** A new clan with a person of this role. Its endpoints begin with `api`. */
  async function newClan(name: string, role: ClanRole = "owner", changes: Partial<Clan> = {}) {
    const { clanId } = (await world.makeClan(changes)).clan;
    return { clanId, api: `/api/clans/${clanId}`, person: await signedIn(name, role, clanId) };
  }

  async function close(): Promise<void> {
    await Promise.all(closers.map((closer) => closer()));
    await world.close();
  }
  return { world, cli, url, startAnother, withoutSessionsOf, withSessionsReadOnly, signedIn, newClan, close };
}

/** The secret part of an invitation's link. */
export function tokenIn(answer: unknown): string {
  return new URL(Invitation.parse(answer).link).hash.slice(1);
}

/** Somebody with a browser, and with a session if its cookie is given. */
export function makeVisitor(url: string, session?: string): Visitor {
  const jar = new Map<string, string>();
  if (session !== undefined) keep(session);
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
    for (const set of response.headers.getSetCookie()) keep(set.split(";")[0] ?? "");
    return {
      status: response.status,
      headers: response.headers,
      body: readBody(await response.text(), response.headers),
    };
  }
  function keep(pair: string): void {
    const [name = "", value = ""] = pair.split("=");
    if (value === "") jar.delete(name);
    else jar.set(name, value);
  }
  function cookie(kind?: "challenge" | "device"): string | undefined {
    const name = new RegExp(`^(?:__Host-)?clanxp${kind === undefined ? "" : `-${kind}`}(?:-\\d+)?=`);
    return cookies()
      .split("; ")
      .find((pair) => name.test(pair));
  }
  return { send, get: (path) => send("GET", path), post: (path, body) => send("POST", path, body), cookie, cookies };
}
