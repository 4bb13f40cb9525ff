// clanxp destination: what a notifier does when it is asked, what it has sent, and the roles that it assigns.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { EventBody } from "#domain/event.ts";
import type { Rank } from "#domain/rank.ts";
import { testActor } from "../../support/actor.ts";
import { makeClanCaller } from "../../support/clan-caller.ts";
import { answeringCliOn, cliOn } from "../../support/cli.ts";
import { fallOf, riseOf } from "../../support/destinations.ts";
import { startDiscord } from "../../support/discord.ts";
import { startFakeRoblox } from "../../support/fake-roblox.ts";
import { rankChange, sampleEvents } from "../../support/sample-events.ts";
import { until } from "../../support/until.ts";
import { useDestinations, verified } from "./use-destinations.ts";

const [roblox, discord] = await Promise.all([startFakeRoblox(), startDiscord()]);
afterAll(() => Promise.all([roblox.close(), discord.close()]));
const { world, cli, destination, receiver, destinations, environment, file, webhookAt, addWebhook, requestsAt } =
  await useDestinations({ robloxApiUrl: roblox.url });

describe("destination test", () => {
  test("sends test.ping and shows the response; exit code 1 if it is not accepted", async () => {
    const { id, path, secret } = await addWebhook();
    receiver.answer((request) => (request.path === path ? { status: 200, body: "thanks" } : { status: 204 }));
    const accepted = await destination("test", id);
    const response = { status: 200, ms: expect.any(Number), error: null, response: "thanks" };
    expect([accepted.exitCode, accepted.answer]).toEqual([0, response]);
    const ping = { type: "test.ping", data: { destinationId: id } };
    expect(verified(requestsAt(path)[0], secret)).toMatchObject(ping);

    receiver.answer((one) => (one.path === path ? { status: 418, body: "teapot" } : { status: 204 }));
    const rejected = await cli.run("destination", "test", id);
    expect(rejected.exitCode).toBe(1);
    expect(rejected.stdout).toMatch(/status +418/);
    expect((await destination("deliveries", id)).answer).toEqual({ deliveries: [] });
  });

  test("says that a notifier is needed if none answers", async () => {
    const { clan } = await world.makeClan();
    // Its secrets are sealed by another key, so that no notifier holds it.
    const otherKey = Buffer.alloc(32, 1).toString("base64");
    const other = cliOn(environment({ SECRETS_KEY: otherKey }));
    const { answer } = await other.json("destination", "add", clan.clanId, ...webhookAt("/x"));
    const tested = await other.json("destination", "test", answer.destinationId);
    expect([tested.exitCode, tested.answer.error.code]).toEqual([3, "no_notifier"]);
    expect(tested.answer.error.message).toContain("npm run notifier");
    const rotated = await destination("rotate", answer.destinationId);
    expect([rotated.exitCode, rotated.answer.error.code]).toEqual([1, "secrets_key_missing"]);
  });
});

describe("destination rotate", () => {
  test("lets both secrets sign during the grace period, and ends the old one with --grace 0", async () => {
    const { clanId, id, path, secret } = await addWebhook();
    const rotated = (await destination("rotate", id)).answer;
    expect(rotated.secret).not.toBe(secret);
    await destinations.append(clanId, [riseOf("p1", 1)]);
    await until(() => requestsAt(path).length === 1);
    const [both] = requestsAt(path);
    for (const one of [rotated.secret, secret])
      expect(verified(both, one)).toMatchObject({ type: "member.rank_changed" });
    const signatures = String(both?.headers["webhook-signature"]).split(" ");
    expect(signatures).toHaveLength(2);

    const newest = (await destination("rotate", id, "--grace", "0")).answer;
    await destinations.append(clanId, [riseOf("p1", 2)]);
    await until(() => requestsAt(path).length === 2);
    const [, one] = requestsAt(path);
    expect(verified(one, newest.secret)).toMatchObject({ type: "member.rank_changed" });
    for (const old of [rotated.secret, secret]) expect(() => verified(one, old)).toThrow("No matching signature found");
    const long = await destination("rotate", id, "--grace", "8d");
    expect([long.exitCode, long.answer.error.message]).toEqual([2, "--grace is at most 7d, not 8d"]);
  });
});

describe("destination deliveries and resend", () => {
  test("list what became of each event, and send events again once confirmed", async () => {
    const { clanId, id, path } = await addWebhook();
    receiver.answer((request) => (request.path === path ? { status: 500, body: "down" } : { status: 204 }));
    const [first] = await destinations.append(clanId, [riseOf("p1", 1)]);
    await until(async () => (await destination("show", id)).answer.failed === 1);
    const gate = Promise.withResolvers<void>();
    receiver.answer(async () => {
      await gate.promise;
      return { status: 500, body: "down" };
    });
    const [second, held] = await destinations.append(clanId, [riseOf("p2", 1), riseOf("p2", 2)]);
    const deliveries = async (...options: string[]) =>
      (await destination("deliveries", id, ...options)).answer.deliveries;
    await until(async () => (await deliveries("--state", "held")).length === 1);
    const reason = "an earlier event of the member is not delivered yet";
    expect((await deliveries("--state", "held"))[0]).toMatchObject({ eventId: held?.eventId, state: "held", reason });
    gate.resolve();
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
    const unconfirmed = await destination("resend", id, "--failed");
    expect([unconfirmed.exitCode, unconfirmed.answer.error.code]).toEqual([1, "not_confirmed"]);
    const resent = await destination("resend", id, "--event", first?.eventId ?? "", "--yes");
    expect(resent.answer).toEqual({ events: 1 });
    await until(async () => (await deliveries("--state", "delivered")).length === 3);
    expect((await deliveries()).map((one: any) => one.eventId)).toEqual(
      [held, second, first].map((event) => event?.eventId),
    );
    const before = requestsAt(path).length;
    const span = await destination("resend", id, "--from", first?.at.toISOString() ?? "", "--yes");
    expect(span.answer).toEqual({ events: 3 });
    await until(() => requestsAt(path).length === before + 3);
    const times = [first, second].map((event) => event?.at.toISOString() ?? "");
    const withoutLast = await destination("resend", id, "--from", times[0] ?? "", "--to", times[1] ?? "", "--yes");
    expect(withoutLast.answer).toEqual({ events: 1 });
    await until(() => requestsAt(path).length === before + 4);
    const wrong = await destination("resend", id, "--failed", "--event", "evt_1");
    expect([wrong.exitCode, wrong.answer.error.code]).toEqual([2, "usage"]);
    const state = await destination("deliveries", id, "--state", "faild");
    expect(state.answer.error.message).toContain('Did you mean "failed"?');
  });
});

test("destination resend --event finds what the destination can be sent, before it asks", async () => {
  const { clanId } = await addWebhook();
  const [earlier] = await destinations.append(clanId, [riseOf("p1", 1)]);
  const path = `/hooks/${crypto.randomUUID()}`;
  const { destinationId: id } = (await destination("add", clanId, ...webhookAt(path))).answer;
  const { platformId, name, seq, xp, rank } = rankChange;
  const left: EventBody = { type: "member.left", data: { platformId, name, seq, xp, rank, since: new Date() } };
  const [gone] = await destinations.append(clanId, [left, riseOf("p1", 2)]);
  await until(() => requestsAt(path).length === 2);
  const other = await addWebhook();
  const [ofOther] = await destinations.append(other.clanId, [riseOf("p1", 1)]);

  const confirming = answeringCliOn(environment(), true);
  const resend = (eventId = "") => confirming.json("destination", "resend", id, "--event", eventId);
  for (const eventId of ["evt_unknown", ofOther?.eventId]) {
    const { exitCode, answer } = await resend(eventId);
    expect([exitCode, answer.error.code]).toEqual([1, "event_not_found"]);
  }
  expect(confirming.questions).toEqual([]);
  // From before it was added, as with a time span.
  expect((await resend(earlier?.eventId)).answer).toEqual({ events: 1 });
  await until(() => requestsAt(path).length === 3);
  expect(requestsAt(path)[2]?.headers["webhook-id"]).toBe(earlier?.eventId);
  // One that it has received, although it receives none of this type any more.
  await destination("set", id, "--type", "member.rank_changed");
  expect((await resend(gone?.eventId)).answer).toEqual({ events: 1 });
  await until(() => requestsAt(path).length === 4);
  expect(confirming.questions).toEqual(["Send 1 event again?", "Send 1 event again?"]);
});

describe("destinations that assign roles", () => {
  let clanId: string;
  beforeAll(async () => {
    const { port } = await world.startApi();
    const clan = await makeClanCaller(world, port);
    ({ clanId } = clan);
    await clan.award("101", { amount: 1_000 });
    await clan.award("102", { amount: 100 });
    roblox.members.set("101", new Set(["1001", "1010"]));
    // The comparison lists projected members.
    await until(async () => (await world.database.db().collection("members").countDocuments({ clanId })) === 2);
  });

  async function addGroup(key: string, ...options: string[]) {
    const args = ["--kind", "roblox-group", "--name", "group", "--group", roblox.groupId];
    return destination("add", clanId, ...args, "--api-key-file", file(key), ...options);
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
    expect((await destination("list", clanId)).answer).toEqual({ destinations: [] });

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
      const { outcomes } = (await destination("show", id)).answer;
      return outcomes.synced === 1 && outcomes.not_in_group === 1;
    });
    expect(roblox.members.get("101")?.has("1020")).toBe(true);
  });

  test("list with --dry-run what differs, and change it without", async () => {
    const { answer } = await addGroup(roblox.key, "--role", "Veteran=1020", "--role", "Recruit=1010");
    const { destinationId: id } = answer;
    await until(async () => (await destination("show", id)).answer.outcomes.synced === 1);
    roblox.members.set("101", new Set(["1001", "1010"]));
    const dry = await destination("sync", id, "--dry-run");
    const difference = { platformId: "101", rank: "Veteran", has: ["1010"], wants: ["1020"] };
    expect(dry.answer).toEqual({ members: expect.any(Number), changed: 0, differences: [difference] });
    expect(roblox.members.get("101")).toEqual(new Set(["1001", "1010"]));
    const one = await destination("sync", id, "--member", "101");
    expect(one.answer).toMatchObject({ members: 1, changed: 1 });
    expect(roblox.members.get("101")).toEqual(new Set(["1001", "1020"]));
    const all = await cli.run("destination", "sync", id);
    expect([all.exitCode, all.stdout]).toEqual([0, expect.stringMatching(/changed +0/)]);
    const tested = await destination("test", id);
    expect([tested.exitCode, tested.answer.error]).toEqual([0, null]);
    const resend = await destination("resend", id, "--failed", "--yes");
    expect([resend.exitCode, resend.answer.error.message]).toEqual([2, expect.stringContaining("sends no events")]);
  });

  test("let the mapping be changed while it has a rank that was removed", async () => {
    const roles = ["--role", "Veteran=1020", "--role", "Recruit=1010"];
    const { destinationId: id } = (await addGroup(roblox.key, ...roles)).answer;
    const withoutRecruit = (all: readonly Rank[]) => all.filter((rank) => rank.name !== "Recruit");
    await world.clans.change(clanId, { ranks: withoutRecruit }, testActor);
    const added = (await destination("set", id, "--role", "Elite=1030")).answer;
    expect(added.roles).toEqual({ Veteran: "1020", Recruit: "1010", Elite: "1030" });
    const unknown = await destination("set", id, "--role", "Nobody=1030");
    expect([unknown.exitCode, unknown.answer.error.message]).toEqual([
      2,
      expect.stringContaining("a rank of the clan"),
    ]);
    const removed = (await destination("set", id, "--role", "Recruit=none")).answer;
    expect(removed.roles).toEqual({ Veteran: "1020", Elite: "1030" });
    const again = await destination("set", id, "--role", "Recruit=1010");
    expect([again.exitCode, again.answer.error.code]).toEqual([2, "usage"]);
  });
});

test("destination add of a Discord webhook shows its id alone, and --only up sends rises", async () => {
  const { clanId } = (await world.makeClan()).clan;
  const webhook = discord.newWebhook();
  const url = file(webhook.url);
  const args = ["--kind", "discord", "--name", "news", "--url-file", url, "--only", "up"];
  const { answer } = await destination("add", clanId, ...args);
  expect(answer).toMatchObject({ kind: "discord", sendsTo: webhook.id, only: "up" });
  expect(answer).not.toHaveProperty("secret");
  const since = new Date().toISOString();
  await destinations.append(clanId, [fallOf("p2", 1), riseOf("p1", 1)]);
  const messages = () => discord.messages.filter(({ webhookId }) => webhookId === webhook.id);
  await until(() => messages().length === 1);
  const resent = await destination("resend", answer.destinationId, "--from", since, "--yes");
  expect(resent.answer).toEqual({ events: 1 });
  await until(() => messages().length === 2);
  const all = (await destination("set", answer.destinationId, "--only", "all")).answer;
  expect(all).not.toHaveProperty("only");
  const summaries = (await destination("set", answer.destinationId, "--only", "summaries")).answer;
  expect(summaries).toMatchObject({ only: "summaries", types: ["period.final"] });
  const [result] = sampleEvents.filter(({ type }) => type === "period.final") as EventBody[];
  await destinations.append(clanId, [riseOf("p1", 2), ...(result ? [result] : [])]);
  await until(() => messages().length === 3);
  const embeds = messages().at(-1)?.body.embeds;
  expect(embeds).toMatchObject([{ title: expect.stringContaining("2026-11-16 to 2026-11-22") }]);
  const typed = await destination("set", answer.destinationId, "--type", "member.*");
  expect([typed.exitCode, typed.answer.error.message]).toEqual([2, expect.stringContaining("--type")]);
  const rotate = await destination("rotate", answer.destinationId);
  expect([rotate.exitCode, rotate.answer.error.message]).toEqual([2, expect.stringContaining("Only a webhook")]);
});
