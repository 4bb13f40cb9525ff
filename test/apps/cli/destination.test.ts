// clanxp destination: with a real notifier, and receivers on this machine.
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Webhook } from "standardwebhooks";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { cliOn, type CommandLine } from "../../support/cli.ts";
import type { Api } from "../../../apps/api/compose.ts";
import { makeClanCaller } from "../../support/clan-caller.ts";
import { destinationsIn, notifierSettings, riseOf, type TestDestinations } from "../../support/destinations.ts";
import { startDiscord, type Discord } from "../../support/discord.ts";
import { startFakeRoblox, type FakeRoblox } from "../../support/fake-roblox.ts";
import { startReceiver, type Received, type Receiver } from "../../support/receiver.ts";
import { until } from "../../support/until.ts";
import { makeWorld, type World } from "../../support/world.ts";

let world: World;
let cli: CommandLine;
let folder: string;
let receiver: Receiver;
let destinations: TestDestinations;
let [roblox, discord]: [FakeRoblox, Discord] = [] as never;
let api: Promise<Api>;
beforeAll(async () => {
  [world, folder, receiver] = await Promise.all([makeWorld(), mkdtemp(join(tmpdir(), "clanxp-")), startReceiver()]);
  [roblox, discord] = await Promise.all([startFakeRoblox(), startDiscord()]);
  destinations = destinationsIn(world.database);
  api = world.startApi();
  await Promise.all([world.startNotifier({ config: { robloxApiUrl: roblox.url } }), api]);
  cli = cliOn(environment());
});
afterAll(async () => {
  await world.close();
  await Promise.all([receiver.close(), roblox.close(), discord.close(), rm(folder, { recursive: true, force: true })]);
});

function environment(changes: Record<string, string> = {}): Record<string, string> {
  return {
    MONGO_URL: world.mongoUrl,
    SECRETS_KEY: notifierSettings.secretsKey ?? "",
    WEBHOOK_ALLOW_PRIVATE: notifierSettings.allowPrivate.join(","),
    CLANXP_ACTOR: "ada",
    ...changes,
  };
}

async function file(text: string): Promise<string> {
  const path = join(folder, crypto.randomUUID());
  await writeFile(path, `${text}\n`);
  return path;
}

type Added = { clanId: string; id: string; path: string; secret: string; answer: any };

/** A webhook of a new clan, at a path that nothing else has. */
async function addWebhook(...options: string[]): Promise<Added> {
  const { clanId } = (await world.makeClan()).clan;
  const path = `/hooks/${crypto.randomUUID()}`;
  const url = await file(`${receiver.url}${path}`);
  const args = [clanId, "--kind", "webhook", "--name", "site", "--url-file", url, ...options];
  const { answer, exitCode, stderr } = await cli.json("destination", "add", ...args);
  expect([exitCode, stderr]).toEqual([0, ""]);
  return { clanId, id: answer.destinationId, path, secret: answer.secret, answer };
}

const requestsAt = (path: string): Received[] => receiver.requests.filter((request) => request.path === path);

function verified({ body, headers }: Received, secret: string): any {
  return new Webhook(secret).verify(body, headers as Record<string, string>);
}

describe("destination add", () => {
  test("makes a webhook with a secret that is shown once and verifies what arrives", async () => {
    const { clanId, id, path, secret, answer } = await addWebhook();
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(answer).toEqual({
      destinationId: expect.stringMatching(/^dst_/),
      clanId,
      name: "site",
      kind: "webhook",
      types: ["member.rank_changed", "member.joined", "member.left"],
      state: "active",
      stateReason: null,
      since: expect.any(String),
      sendsTo: `${receiver.url}/hooks`,
      behind: 0,
      oldestBehindS: null,
      waiting: 0,
      failed: 0,
      missed: 0,
      lastDeliveredAt: null,
      createdAt: answer.since,
      createdBy: "ada",
      secret,
    });
    const [event] = await destinations.append(clanId, [riseOf("p1", 1)]);
    await until(() => requestsAt(path).length === 1);
    const [request] = requestsAt(path);
    expect(request && verified(request, secret)).toMatchObject({ id: event?.eventId, type: "member.rank_changed" });

    const shown = await cli.json("destination", "show", id);
    expect(shown.answer).not.toHaveProperty("secret");
    expect(JSON.stringify(shown.answer)).not.toContain(path.slice("/hooks/".length));
    const people = await cli.run("destination", "list", clanId);
    expect(people.stdout).toMatch(new RegExp(`${id} +site +webhook +${receiver.url}/hooks +active`));
  });

  test("leaves no secret in the audit log, nor in the database", async () => {
    const { clanId, path, secret } = await addWebhook();
    const { records } = (await cli.json("audit", "list", "--clan", clanId)).answer;
    expect(records[0]).toMatchObject({ action: "destination.add", actor: "ada", via: "cli" });
    const collections = await world.database.db().collections();
    const stored = await Promise.all(collections.map((one) => one.find().toArray()));
    expect(JSON.stringify([records, stored.flat().map(String)])).not.toContain(secret);
    const text = JSON.stringify(stored, (_key, value) => (typeof value === "bigint" ? String(value) : value));
    expect(text).not.toContain(secret.slice("whsec_".length));
    expect(text).not.toContain(path.slice("/hooks/".length));
  });

  test.each([
    ["a private address", "https://10.0.0.1/x", "--url-file: The host is not a public address"],
    ["plain HTTP to a public address", "http://1.1.1.1/x", "--url-file: The URL must begin with https://"],
    ["no URL", "example", "--url-file: This is not a URL"],
    ["an empty file", "", "is empty"],
  ])("rejects %s and names the option", async (_what, url, message) => {
    const { clanId } = (await world.makeClan()).clan;
    const args = [clanId, "--kind", "webhook", "--name", "site", "--url-file", await file(url)];
    const { exitCode, answer } = await cli.json("destination", "add", ...args);
    expect([exitCode, answer.error.code]).toEqual([2, "usage"]);
    expect(answer.error.message).toContain(message);
    expect((await cli.json("destination", "list", clanId)).answer).toEqual({ destinations: [] });
  });

  test("names every invalid option at once, and changes nothing", async () => {
    const { clanId } = (await world.makeClan()).clan;
    const url = await file(`${receiver.url}/x`);
    const wrong = ["--kind", "webhook", "--name", "x".repeat(65), "--url-file", url];
    const long = await cli.json("destination", "add", clanId, ...wrong);
    expect(long.answer.error.message).toBe("--name must be 1 to 64 characters of plain text. Nothing was changed.");
    const kind = await cli.json("destination", "add", clanId, "--kind", "webhok", "--name", "x", "--url-file", url);
    expect(kind.answer.error.message).toContain('Did you mean "webhook"?');
    const foreign = ["--kind", "webhook", "--name", "x", "--url-file", url, "--only", "up", "--group", "1"];
    expect((await cli.json("destination", "add", clanId, ...foreign)).answer.error.message).toContain("--group");
    const types = ["--kind", "webhook", "--name", "x", "--url-file", url, "--type", "member.risen"];
    expect((await cli.json("destination", "add", clanId, ...types)).answer.error.code).toBe("usage");
    const roles = ["--kind", "roblox-group", "--name", "x", "--role", "Nobody=1", "--requests-per-minute", "999"];
    const { answer } = await cli.json("destination", "add", clanId, ...roles);
    expect(answer.error.faults).toEqual([
      "--requests-per-minute must be a whole number from 10 to 250",
      expect.stringMatching(/^--role "Nobody=…" must name a rank of the clan: Guest, Recruit/),
      "--group is required",
      "--api-key-file is required",
    ]);
    expect((await cli.json("destination", "list", clanId)).answer).toEqual({ destinations: [] });
  });

  test("says what to do without SECRETS_KEY, with a wrong one, and for an unknown clan", async () => {
    const { clanId } = (await world.makeClan()).clan;
    const args = ["--kind", "webhook", "--name", "site", "--url-file", await file(`${receiver.url}/x`)];
    const without = cliOn(environment({ SECRETS_KEY: "", DATA_DIR: folder }));
    const { exitCode, answer } = await without.json("destination", "add", clanId, ...args);
    expect([exitCode, answer.error.code]).toEqual([1, "secrets_key_missing"]);
    expect(answer.error.message).toContain("SECRETS_KEY is not set");
    const wrong = await cliOn(environment({ SECRETS_KEY: "short" })).json("destination", "add", clanId, ...args);
    expect([wrong.exitCode, wrong.answer.error.message]).toEqual([2, expect.stringContaining("SECRETS_KEY is not")]);
    const unknown = await cli.json("destination", "add", `${clanId}x`, ...args);
    expect([unknown.exitCode, unknown.answer.error.code]).toEqual([1, "clan_not_found"]);
    expect(unknown.answer.error.message).toContain(clanId);
  });

  test("begins with the oldest event, or at a time, and permits 10 for a clan", async () => {
    const first = await addWebhook();
    const events = await destinations.append(first.clanId, [riseOf("p1", 1), riseOf("p2", 1)]);
    const add = async (path: string, ...options: string[]) => {
      const args = ["--kind", "webhook", "--name", path, "--url-file", await file(`${receiver.url}${path}`)];
      return cli.json("destination", "add", first.clanId, ...args, ...options);
    };
    const [oldest, later] = [`/${crypto.randomUUID()}`, `/${crypto.randomUUID()}`];
    await add(oldest, "--from", "oldest");
    await until(() => requestsAt(oldest).length === 2);
    await add(later, "--from", new Date(Date.now() + 60_000).toISOString());
    const [third] = await destinations.append(first.clanId, [riseOf("p3", 1)]);
    await until(() => requestsAt(later).length === 1);
    expect(requestsAt(later)[0]?.headers["webhook-id"]).toBe(third?.eventId);
    expect(events).toHaveLength(2);
    for (let n = 3; n < 10; n += 1) expect((await add(`/full-${n}`)).exitCode).toBe(0);
    const full = await add("/full");
    expect([full.exitCode, full.answer.error.code]).toEqual([1, "too_many_destinations"]);
  });
});

describe("destination set, pause, resume and remove", () => {
  test("change what is named alone, and act within a second", async () => {
    const { clanId, id, path, secret } = await addWebhook();
    const other = `/other/${crypto.randomUUID()}`;
    const set = await cli.json("destination", "set", id, "--url-file", await file(`${receiver.url}${other}`));
    expect(set.answer).toMatchObject({ destinationId: id, name: "site", sendsTo: `${receiver.url}/other` });
    expect(set.answer).not.toHaveProperty("secret");
    await destinations.append(clanId, [riseOf("p1", 1)]);
    await until(() => requestsAt(other).length === 1);
    const [request] = requestsAt(other);
    expect(request && verified(request, secret)).toMatchObject({ type: "member.rank_changed" });
    expect(requestsAt(path)).toEqual([]);
    const typed = await cli.json(
      "destination",
      "set",
      id,
      "--name",
      "renamed",
      "--type",
      "member.*",
      "--type",
      "key.*",
    );
    const families = [
      "member.rank_changed",
      "member.joined",
      "member.left",
      "key.created",
      "key.rotated",
      "key.revoked",
    ];
    expect(typed.answer.types).toEqual(families);
    expect(typed.answer.name).toBe("renamed");
    const nothing = await cli.json("destination", "set", id);
    expect([nothing.exitCode, nothing.answer.error.code]).toEqual([2, "usage"]);
  });

  test("keep the place of a paused destination, or skip what waits", async () => {
    const { clanId, id, path } = await addWebhook();
    const paused = (await cli.json("destination", "pause", id)).answer;
    expect(paused).toMatchObject({ state: "paused", stateReason: "Paused by ada. Resume it to send what waits." });
    await destinations.append(clanId, [riseOf("p1", 1)]);
    expect((await cli.json("destination", "show", id)).answer).toMatchObject({
      behind: 1,
      oldestBehindS: expect.any(Number),
    });
    expect((await cli.json("destination", "resume", id)).answer).toMatchObject({ state: "active", stateReason: null });
    await until(() => requestsAt(path).length === 1);

    await cli.json("destination", "pause", id);
    await destinations.append(clanId, [riseOf("p1", 2)]);
    await cli.json("destination", "resume", id, "--from", "now");
    const [event] = await destinations.append(clanId, [riseOf("p1", 3)]);
    await until(() => requestsAt(path).length === 2);
    expect(requestsAt(path)[1]?.headers["webhook-id"]).toBe(event?.eventId);
    const wrong = await cli.json("destination", "resume", id, "--from", "oldest");
    expect([wrong.exitCode, wrong.answer.error.code]).toEqual([2, "usage"]);
    const actions = (await cli.json("audit", "list", "--clan", clanId)).answer.records.map((one: any) => one.action);
    expect(actions.filter((action: string) => action === "destination.pause")).toHaveLength(2);
    expect(actions.filter((action: string) => action === "destination.resume")).toHaveLength(2);
  });

  test("remove a destination once a person confirms it, and know it no more", async () => {
    const { clanId, id } = await addWebhook();
    const asked: string[] = [];
    const no = cliOn(environment(), null, async (question) => (asked.push(question), false));
    const declined = await no.json("destination", "remove", id);
    expect([declined.exitCode, declined.answer.error.code]).toEqual([1, "not_confirmed"]);
    expect(asked).toEqual([expect.stringContaining('Remove the destination "site"')]);
    expect((await cli.json("destination", "remove", id)).answer).toMatchObject({ destinationId: id });
    expect((await cli.json("destination", "list", clanId)).answer).toEqual({ destinations: [] });
    for (const command of ["show", "pause", "resume", "remove", "test", "rotate", "deliveries", "sync"]) {
      const { exitCode, answer } = await cli.json("destination", command, id);
      expect([command, exitCode, answer.error.code]).toEqual([command, 1, "destination_not_found"]);
    }
  });
});

describe("destination test", () => {
  test("sends test.ping and shows the response; exit code 1 if it is not accepted", async () => {
    const { id, path, secret } = await addWebhook();
    receiver.answer((request) => (request.path === path ? { status: 200, body: "thanks" } : { status: 204 }));
    const accepted = await cli.json("destination", "test", id);
    expect([accepted.exitCode, accepted.answer]).toEqual([
      0,
      { status: 200, ms: expect.any(Number), error: null, response: "thanks" },
    ]);
    const [request] = requestsAt(path);
    expect(request && verified(request, secret)).toMatchObject({ type: "test.ping", data: { destinationId: id } });

    receiver.answer((one) => (one.path === path ? { status: 418, body: "teapot" } : { status: 204 }));
    const rejected = await cli.run("destination", "test", id);
    expect(rejected.exitCode).toBe(1);
    expect(rejected.stdout).toMatch(/status +418/);
    expect((await cli.json("destination", "deliveries", id)).answer).toEqual({ deliveries: [] });
  });

  test("says that a notifier is needed if none answers", { timeout: 30_000 }, async () => {
    const { clan } = await world.makeClan();
    // Its secrets are sealed by another key, so that no notifier holds it.
    const otherKey = Buffer.alloc(32, 1).toString("base64");
    const args = ["--kind", "webhook", "--name", "x", "--url-file", await file(`${receiver.url}/x`)];
    const other = cliOn(environment({ SECRETS_KEY: otherKey }));
    const { answer } = await other.json("destination", "add", clan.clanId, ...args);
    const tested = await other.json("destination", "test", answer.destinationId);
    expect([tested.exitCode, tested.answer.error.code]).toEqual([3, "no_notifier"]);
    expect(tested.answer.error.message).toContain("npm run notifier");
    const rotated = await cli.json("destination", "rotate", answer.destinationId);
    expect([rotated.exitCode, rotated.answer.error.code]).toEqual([1, "secrets_key_missing"]);
  });
});

describe("destination rotate", () => {
  test("lets both secrets sign during the grace period, and ends the old one with --grace 0", async () => {
    const { clanId, id, path, secret } = await addWebhook();
    const rotated = (await cli.json("destination", "rotate", id)).answer;
    expect(rotated.secret).not.toBe(secret);
    await destinations.append(clanId, [riseOf("p1", 1)]);
    await until(() => requestsAt(path).length === 1);
    const [both] = requestsAt(path);
    for (const one of [rotated.secret, secret])
      expect(both && verified(both, one)).toMatchObject({ type: "member.rank_changed" });
    const signatures = String(both?.headers["webhook-signature"]).split(" ");
    expect(signatures).toHaveLength(2);

    const newest = (await cli.json("destination", "rotate", id, "--grace", "0")).answer;
    await destinations.append(clanId, [riseOf("p1", 2)]);
    await until(() => requestsAt(path).length === 2);
    const [, one] = requestsAt(path);
    expect(one && verified(one, newest.secret)).toMatchObject({ type: "member.rank_changed" });
    for (const old of [rotated.secret, secret])
      expect(() => one && verified(one, old)).toThrow("No matching signature found");
    const long = await cli.json("destination", "rotate", id, "--grace", "8d");
    expect([long.exitCode, long.answer.error.message]).toEqual([2, "--grace is at most 7d, not 8d"]);
  });
});

describe("destination deliveries and resend", () => {
  test("list what became of each event, and send events again once confirmed", async () => {
    const { clanId, id, path } = await addWebhook();
    receiver.answer((request) => (request.path === path ? { status: 500, body: "down" } : { status: 204 }));
    const [first] = await destinations.append(clanId, [riseOf("p1", 1)]);
    await until(async () => (await cli.json("destination", "show", id)).answer.failed === 1);
    const [second, held] = await destinations.append(clanId, [riseOf("p2", 1), riseOf("p2", 2)]);
    const deliveries = async (...options: string[]) =>
      (await cli.json("destination", "deliveries", id, ...options)).answer.deliveries;
    await until(async () => (await deliveries("--state", "held")).length === 1 || requestsAt(path).length > 8);
    expect(await deliveries("--state", "failed")).toContainEqual({
      eventId: first?.eventId,
      type: "member.rank_changed",
      state: "failed",
      attempts: expect.arrayContaining([
        { at: expect.any(String), ms: expect.any(Number), status: 500, error: "status", response: "down" },
      ]),
      nextAt: null,
      reason: null,
    });
    expect((await deliveries("--limit", "1")).map((one: any) => one.eventId)).toEqual([held?.eventId]);

    receiver.answer({ status: 204 });
    const unconfirmed = await cli.json("destination", "resend", id, "--failed");
    expect([unconfirmed.exitCode, unconfirmed.answer.error.code]).toEqual([1, "not_confirmed"]);
    const resent = await cli.json("destination", "resend", id, "--event", first?.eventId ?? "", "--yes");
    expect(resent.answer).toEqual({ events: 1 });
    await until(async () => (await deliveries("--state", "delivered")).length === 3);
    expect((await deliveries()).map((one: any) => one.eventId)).toEqual(
      [held, second, first].map((event) => event?.eventId),
    );
    const before = requestsAt(path).length;
    const span = await cli.json("destination", "resend", id, "--from", first?.at.toISOString() ?? "", "--yes");
    expect(span.answer).toEqual({ events: 3 });
    await until(() => requestsAt(path).length === before + 3);
    const wrong = await cli.json("destination", "resend", id, "--failed", "--event", "evt_1");
    expect([wrong.exitCode, wrong.answer.error.code]).toEqual([2, "usage"]);
    const state = await cli.json("destination", "deliveries", id, "--state", "faild");
    expect(state.answer.error.message).toContain('Did you mean "failed"?');
  });
});

describe("destinations that assign roles", () => {
  let clanId: string;
  beforeAll(async () => {
    const clan = await makeClanCaller(world, (await api).port);
    ({ clanId } = clan);
    await clan.award("101", { amount: 1_000 });
    await clan.award("102", { amount: 100 });
    roblox.members.set("101", new Set(["1001", "1010"]));
    // The comparison lists projected members.
    await until(async () => (await world.database.db().collection("members").countDocuments({ clanId })) === 2);
  });

  async function addGroup(key: string, ...options: string[]) {
    const args = ["--kind", "roblox-group", "--name", "group", "--group", roblox.groupId];
    return cli.json("destination", "add", clanId, ...args, "--api-key-file", await file(key), ...options);
  }

  test("show the roles' names, check them, and refuse unknown ids, Guest and Owner", async () => {
    const wrong = await addGroup(roblox.key, "--role", "Veteran=7", "--role", "Chief=1255", "--role", "Guest=1000");
    expect([wrong.exitCode, wrong.answer.error.code]).toEqual([2, "usage"]);
    expect(wrong.answer.error.faults).toEqual([
      expect.stringMatching(
        /^--role "Veteran=…" must be the id of a role that exists, not 7\. Roles are .*Elite \(1030\)/,
      ),
      expect.stringMatching(/^--role "Chief=…" must not be Owner \(1255\)/),
      expect.stringMatching(/^--role "Guest=…" must not be Guest \(1000\)/),
    ]);
    const rejected = await addGroup("another-key");
    expect([rejected.exitCode, rejected.answer.error.code]).toEqual([1, "destination_rejected"]);
    expect(rejected.answer.error.message).toContain("Roblox rejects the API key");
    expect((await cli.json("destination", "list", clanId)).answer).toEqual({ destinations: [] });

    const { answer } = await addGroup(roblox.key, "--role", "Veteran=1020", "--role", "Recruit=1010");
    expect(answer).toMatchObject({
      kind: "roblox-group",
      sendsTo: roblox.groupId,
      groupId: roblox.groupId,
      roles: { Veteran: "1020", Recruit: "1010" },
      requestsPerMinute: 120,
    });
    const { destinationId: id } = answer;
    const set = await cli.run("destination", "set", id, "--role", "Elite=1030", "--role", "Recruit=none");
    expect(set.stdout).toContain("Veteran gives Veteran (1020)");
    expect(set.stdout).toContain("Elite gives Elite (1030)");
    expect(set.stdout).not.toContain("Recruit gives");
    await until(async () => {
      const { outcomes } = (await cli.json("destination", "show", id)).answer;
      return outcomes.synced === 1 && outcomes.not_in_group === 1;
    });
    expect(roblox.members.get("101")?.has("1020")).toBe(true);
  });

  test("list with --dry-run what differs, and change it without", async () => {
    const { answer } = await addGroup(roblox.key, "--role", "Veteran=1020", "--role", "Recruit=1010");
    const { destinationId: id } = answer;
    await until(async () => (await cli.json("destination", "show", id)).answer.outcomes.synced === 1);
    roblox.members.set("101", new Set(["1001", "1010"]));
    const dry = await cli.json("destination", "sync", id, "--dry-run");
    const difference = { platformId: "101", rank: "Veteran", has: ["1010"], wants: ["1020"] };
    expect(dry.answer).toEqual({ members: expect.any(Number), changed: 0, differences: [difference] });
    expect(roblox.members.get("101")).toEqual(new Set(["1001", "1010"]));
    const one = await cli.json("destination", "sync", id, "--member", "101");
    expect(one.answer).toMatchObject({ members: 1, changed: 1 });
    expect(roblox.members.get("101")).toEqual(new Set(["1001", "1020"]));
    const all = await cli.run("destination", "sync", id);
    expect([all.exitCode, all.stdout]).toEqual([0, expect.stringMatching(/changed +0/)]);
    const tested = await cli.json("destination", "test", id);
    expect([tested.exitCode, tested.answer.error]).toEqual([0, null]);
    const resend = await cli.json("destination", "resend", id, "--failed", "--yes");
    expect([resend.exitCode, resend.answer.error.message]).toEqual([2, expect.stringContaining("sends no events")]);
  });
});

test("destination add of a Discord webhook shows its id alone, and --only up sends rises", async () => {
  const { clanId } = (await world.makeClan()).clan;
  const webhook = discord.newWebhook();
  const url = await file(webhook.url);
  const args = ["--kind", "discord", "--name", "news", "--url-file", url, "--only", "up"];
  const { answer } = await cli.json("destination", "add", clanId, ...args);
  expect(answer).toMatchObject({ kind: "discord", sendsTo: webhook.id, only: "up" });
  expect(answer).not.toHaveProperty("secret");
  await destinations.append(clanId, [riseOf("p1", 1)]);
  await until(() => discord.messages.some(({ webhookId }) => webhookId === webhook.id));
  const all = (await cli.json("destination", "set", answer.destinationId, "--only", "all")).answer;
  expect(all).not.toHaveProperty("only");
  const rotate = await cli.json("destination", "rotate", answer.destinationId);
  expect([rotate.exitCode, rotate.answer.error.message]).toEqual([2, expect.stringContaining("Only a webhook")]);
});

test.each([
  "add",
  "list",
  "show",
  "set",
  "pause",
  "resume",
  "remove",
  "test",
  "rotate",
  "deliveries",
  "resend",
  "sync",
])("destination %s --help prints an example and needs no server", async (command) => {
  const { exitCode, stdout } = await cliOn({}).run("destination", command, "--help");
  expect(exitCode).toBe(0);
  expect(stdout).toMatch(new RegExp(`^Usage: clanxp destination ${command} `));
  expect(stdout).toMatch(new RegExp(`Examples:\n  clanxp destination ${command}`));
});
