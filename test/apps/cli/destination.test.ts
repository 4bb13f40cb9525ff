// clanxp destination: adding, listing, changing and removing, with a real notifier.
import { describe, expect, test } from "vitest";
import { answeringCliOn, patientCliOn } from "../../support/cli.ts";
import { riseOf } from "../../support/destinations.ts";
import { until } from "../../support/until.ts";
import { useDestinations, verified } from "./use-destinations.ts";

const { world, cli, destination, receiver, destinations, environment, file, webhookAt, addWebhook, requestsAt } =
  await useDestinations();

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
    const sent = { id: event?.eventId, type: "member.rank_changed" };
    expect(verified(requestsAt(path)[0], secret)).toMatchObject(sent);

    const shown = await destination("show", id);
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
    const args = [clanId, "--kind", "webhook", "--name", "site", "--url-file", file(url)];
    const { exitCode, answer } = await destination("add", ...args);
    expect([exitCode, answer.error.code]).toEqual([2, "usage"]);
    expect(answer.error.message).toContain(message);
    expect((await destination("list", clanId)).answer).toEqual({ destinations: [] });
  });

  test("names every invalid option at once, and changes nothing", async () => {
    const { clanId } = (await world.makeClan()).clan;
    const webhook = webhookAt("/x");
    const discord = ["--kind", "discord", "--name", "x", "--url-file", file("https://discord.com/api/webhooks/1/x")];
    for (const [wrong, message] of [
      [webhookAt("/x", "x".repeat(65)), "--name must be 1 to 64 characters of plain text. Nothing was changed."],
      [[...webhook, "--kind", "webhok"], 'Did you mean "webhook"?'],
      [[...webhook, "--only", "up", "--group", "1"], "--group"],
      [[...webhook, "--only", "summaries"], "--only is not a setting of a webhook destination"],
      [[...webhook, "--only", "down"], '--only is up, summaries or all, not "down"'],
      [[...discord, "--only", "summaries", "--type", "period.final"], "--type is not a setting"],
      [[...webhook, "--type", "member.risen"], "--type is one of"],
    ] as const)
      expect((await destination("add", clanId, ...wrong)).answer.error.message).toContain(message);
    const roles = ["--kind", "roblox-group", "--name", "x", "--role", "Nobody=1", "--requests-per-minute", "999"];
    const { answer } = await destination("add", clanId, ...roles);
    expect(answer.error.faults).toEqual([
      "--requests-per-minute must be a whole number from 10 to 250",
      expect.stringMatching(/^--role "Nobody=…" must name a rank of the clan: Guest, Recruit/),
      "--group is required",
      "--api-key-file is required",
    ]);
    expect((await destination("list", clanId)).answer).toEqual({ destinations: [] });
  });

  test.each([
    ["1", "Discord could not be reached"],
    ["7".repeat(20), "Discord could not be reached"],
    ["7".repeat(21), "--guild must be the id of a server, 1 to 20 digits"],
    ["seven", "--guild must be the id of a server, 1 to 20 digits"],
  ])("with --guild %s is answered: %s", async (guild, message) => {
    const { clanId } = (await world.makeClan()).clan;
    const token = ["--guild", guild, "--token-file", file("token")];
    const { answer } = await destination("add", clanId, "--kind", "discord-roles", "--name", "x", ...token);
    expect(answer.error.message).toContain(message);
  });

  test("says what to do without SECRETS_KEY, with a wrong one, and for an unknown clan", async () => {
    const { clanId } = (await world.makeClan()).clan;
    const args = webhookAt("/x");
    const without = patientCliOn(environment({ SECRETS_KEY: "", DATA_DIR: "/nowhere" }));
    const { exitCode, answer } = await without.json("destination", "add", clanId, ...args);
    expect([exitCode, answer.error.code]).toEqual([1, "secrets_key_missing"]);
    expect(answer.error.message).toContain("SECRETS_KEY is not set");
    const wrongKey = patientCliOn(environment({ SECRETS_KEY: "short" }));
    const wrong = await wrongKey.json("destination", "add", clanId, ...args);
    expect([wrong.exitCode, wrong.answer.error.message]).toEqual([2, expect.stringContaining("SECRETS_KEY is not")]);
    const unknown = await destination("add", `${clanId}x`, ...args);
    expect([unknown.exitCode, unknown.answer.error.code]).toEqual([1, "clan_not_found"]);
    expect(unknown.answer.error.message).toContain(clanId);
  });

  test("begins with the oldest event, or at a time, and permits 10 for a clan", async () => {
    const first = await addWebhook();
    const events = await destinations.append(first.clanId, [riseOf("p1", 1), riseOf("p2", 1)]);
    const add = (path: string, ...options: string[]) =>
      destination("add", first.clanId, ...webhookAt(path, path), ...options);
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
    const set = await destination("set", id, "--url-file", file(`${receiver.url}${other}`));
    expect(set.answer).toMatchObject({ destinationId: id, name: "site", sendsTo: `${receiver.url}/other` });
    expect(set.answer).not.toHaveProperty("secret");
    await destinations.append(clanId, [riseOf("p1", 1)]);
    await until(() => requestsAt(other).length === 1);
    expect(verified(requestsAt(other)[0], secret)).toMatchObject({ type: "member.rank_changed" });
    expect(requestsAt(path)).toEqual([]);
    const typed = await destination("set", id, "--name", "renamed", "--type", "member.*", "--type", "key.*");
    const [ofMembers, ofKeys] = [
      ["member.rank_changed", "member.joined", "member.left"],
      ["key.created", "key.rotated", "key.revoked"],
    ];
    expect(typed.answer).toMatchObject({ name: "renamed", types: [...ofMembers, ...ofKeys] });
    const nothing = await destination("set", id);
    expect([nothing.exitCode, nothing.answer.error.code]).toEqual([2, "usage"]);
  });

  test("keep the place of a paused destination, or skip what waits", async () => {
    const { clanId, id, path } = await addWebhook();
    const paused = (await destination("pause", id)).answer;
    expect(paused).toMatchObject({ state: "paused", stateReason: "Paused by ada. Resume it to send what waits." });
    await destinations.append(clanId, [riseOf("p1", 1)]);
    expect((await destination("show", id)).answer).toMatchObject({ behind: 1, oldestBehindS: expect.any(Number) });
    expect((await destination("resume", id)).answer).toMatchObject({ state: "active", stateReason: null });
    await until(() => requestsAt(path).length === 1);

    await destination("pause", id);
    await destinations.append(clanId, [riseOf("p1", 2)]);
    await destination("resume", id, "--from", "now");
    const [event] = await destinations.append(clanId, [riseOf("p1", 3)]);
    await until(() => requestsAt(path).length === 2);
    expect(requestsAt(path)[1]?.headers["webhook-id"]).toBe(event?.eventId);
    const wrong = await destination("resume", id, "--from", "oldest");
    expect([wrong.exitCode, wrong.answer.error.code]).toEqual([2, "usage"]);
    const { records } = (await cli.json("audit", "list", "--clan", clanId)).answer;
    const twice = ["destination.resume", "destination.pause", "destination.resume", "destination.pause"];
    expect(records.slice(0, 4).map(({ action }: any) => action)).toEqual(twice);
  });

  test("remove a destination once a person confirms it, and know it no more", async () => {
    const { clanId, id } = await addWebhook();
    const declining = answeringCliOn(environment(), false);
    const declined = await declining.json("destination", "remove", id);
    expect([declined.exitCode, declined.answer.error.code]).toEqual([1, "not_confirmed"]);
    expect(declining.questions).toEqual([expect.stringContaining('Remove the destination "site"')]);
    const unasked = await destination("remove", id);
    expect([unasked.exitCode, unasked.answer.error.message]).toEqual([2, expect.stringContaining("--yes")]);
    expect((await destination("remove", id, "--yes")).answer).toMatchObject({ destinationId: id });
    expect((await destination("list", clanId)).answer).toEqual({ destinations: [] });
    for (const command of ["show", "pause", "resume", "remove", "test", "rotate", "deliveries", "sync"]) {
      const yes = command === "remove" ? ["--yes"] : [];
      const { exitCode, answer } = await destination(command, id, ...yes);
      expect([command, exitCode, answer.error.code]).toEqual([command, 1, "destination_not_found"]);
    }
  });
});
