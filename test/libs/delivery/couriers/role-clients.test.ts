// What becomes of the responses of Roblox and Discord: each error is a sentence with its fix, and none contains the
// credential.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makeDiscordRoles } from "#delivery/couriers/discord-roles.ts";
import { makeRobloxGroups } from "#delivery/couriers/roblox-groups.ts";
import { makeSendToService } from "#delivery/couriers/send-to-service.ts";
import type { RoleClient, RoleService } from "#delivery/role-ports.ts";
import { ofGateway } from "../../../support/discord.ts";
import { startFakeDiscord, type FakeDiscord } from "../../../support/fake-discord.ts";
import { startFakeRoblox, type FakeRoblox } from "../../../support/fake-roblox.ts";
import type { Reply } from "../../../support/fake-service.ts";

const TIMEOUT_MS = 5_000;
const SHORT_MS = 200;

describe("Roblox", () => {
  let roblox: FakeRoblox;
  let service: RoleService;
  let [client, hasty]: RoleClient[] = [];
  beforeAll(async () => {
    roblox = await startFakeRoblox();
    const send = makeSendToService({ serviceUrl: roblox.url });
    service = makeRobloxGroups({ send, baseUrl: roblox.url, timeoutMs: TIMEOUT_MS });
    client = service.client(roblox.groupId, roblox.key, "rovers");
    hasty = makeRobloxGroups({ send, baseUrl: roblox.url, timeoutMs: SHORT_MS }).client(
      roblox.groupId,
      roblox.key,
      "rovers",
    );
    for (let id = 1; id <= 250; id += 1) roblox.members.set(`${id}`, new Set(["1001"]));
  });
  afterAll(() => roblox.close());

  const next = (...replies: (Reply | "hang" | "close")[]) => roblox.odd.push({ matches: () => true, replies });

  test("members are listed 100 at a time, with all of their roles, also where only the highest one is given", async () => {
    const sizes: number[] = [];
    for (let after: string | null = null; ;) {
      const from: string | null = after;
      const page: Awaited<ReturnType<RoleClient["listMembers"]>> | undefined = await client?.listMembers(from);
      if (page?.kind !== "done") throw new Error(page?.kind);
      sizes.push(page.value.items.length);
      after = page.value.next;
      if (after === null) break;
    }
    expect(sizes).toStrictEqual([100, 100, 50]);
    const old = { user: "users/7", role: "groups/4242/roles/1010" };
    next({ status: 200, body: { groupMemberships: [old], nextPageToken: "" } }, { status: 200, body: {} });
    expect(await client?.listMembers(null)).toMatchObject({
      value: { items: [{ platformId: "7", has: ["1010"] }], next: null },
    });
    expect(await client?.readMember("999")).toMatchObject({ kind: "not_there" });
    expect(await client?.readMember("250")).toMatchObject({ kind: "done", value: ["1001"] });
  });

  test.each<[string, Reply | "hang" | "close", object]>([
    [
      "a gateway's page",
      { status: 502, body: "<html>" },
      { kind: "failed", reason: "Roblox responded with status 502." },
    ],
    ["no response", "hang", { kind: "failed", reason: "Roblox did not respond in time." }],
    ["a lost connection", "close", { kind: "failed", reason: expect.stringContaining("the connection failed") }],
    ["a redirect", { status: 302, headers: { location: "http://127.0.0.1" } }, { kind: "failed" }],
    ["a conflict", { status: 409, body: { code: "ABORTED", message: "x" } }, { kind: "failed" }],
    ["429 with a time", { status: 429, headers: { "retry-after": "7" } }, { kind: "rest", forMs: 7_000 }],
    ["429 without one", { status: 429, body: {} }, { kind: "rest", forMs: null }],
    [
      "a rejected key",
      { status: 401, body: { errors: [{ code: 0, message: "Invalid API Key" }] } },
      { kind: "stopped", reason: expect.stringContaining('enter a new one. Roblox says: "Invalid API Key"') },
    ],
    [
      "a missing permission",
      { status: 403, body: { code: "PERMISSION_DENIED", message: "No permission." } },
      { kind: "denied", isAboutPerson: false, reason: expect.stringContaining("give the key the scope group:write") },
    ],
    [
      "a person above",
      { status: 403, body: { code: "PERMISSION_DENIED", message: "Only lower ranked members can be changed." } },
      { kind: "denied", isAboutPerson: true, reason: expect.stringContaining("only people below the highest role") },
    ],
    [
      "a person who left",
      { status: 404, body: { code: "NOT_FOUND", message: "No such member." } },
      { kind: "not_there" },
    ],
    [
      "a deleted role",
      { status: 404, body: { code: "NOT_FOUND", message: "The role does not exist." } },
      { kind: "rejected", reason: expect.stringContaining("choose another one in the mapping") },
    ],
    ["any other refusal", { status: 400, body: "not JSON" }, { kind: "rejected" }],
  ])("a change: %s", async (_name, reply, expected) => {
    // The hasty client may give up before its request arrives: then the reply stays, and no other request may get it.
    const [one, id] = reply === "hang" ? [hasty, "8"] : [client, "7"];
    roblox.odd.push({ matches: ({ path }) => path.includes(`/memberships/${id}:`), replies: [reply] });
    const got = await one?.assign(id, "1010");
    expect(got).toMatchObject(expected);
    expect(JSON.stringify(got)).not.toContain(roblox.key);
  });

  test("a list that cannot be read is a failure, not an empty group; one of another group stops", async () => {
    for (const body of ["<html>", { groupMemberships: [{ role: "x" }] }, "null"]) {
      next({ status: 200, body });
      expect(await client?.listMembers(null)).toMatchObject({ kind: "failed" });
    }
    const other = service.client("1", roblox.key, "rovers");
    expect(await other.listMembers(null)).toMatchObject({
      kind: "stopped",
      reason: expect.stringContaining("Check the id of the group."),
    });
  });

  test("an id that Roblox does not accept is about this person alone, and no id is quoted", async () => {
    next({ status: 400, body: { code: "INVALID_ARGUMENT", message: "Invalid user id 999999999999999999." } });
    expect(await client?.readMember("999999999999999999")).toMatchObject({
      kind: "rejected",
      reason: 'Roblox does not change the roles of this person (status 400). Roblox says: "Invalid user id …."',
    });
    next({ status: 403, body: { code: "PERMISSION_DENIED", message: "No." } });
    expect(await client?.readMember("999999999999999999")).toMatchObject({ kind: "stopped" });
  });

  test("a used-up limit is obeyed from the headers before Roblox responds with 429", async () => {
    next({ status: 200, headers: { "x-ratelimit-remaining": "0", "x-ratelimit-reset": "20" }, body: {} });
    expect(await client?.listMembers(null)).toMatchObject({ kind: "done", pauseMs: 20_000 });
    // As a time instead, and as nonsense: never longer than an hour.
    for (const [reset, pauseMsMax] of [
      [Math.floor(Date.now() / 1_000) + 20, 20_000],
      [Date.now() + 20_000, 20_000],
      [99_999_999, 3_600_000],
    ] as const) {
      next({ status: 200, headers: { "x-ratelimit-remaining": "0", "x-ratelimit-reset": `${reset}` }, body: {} });
      const reply = await client?.listMembers(null);
      expect(reply?.pauseMs).toBeLessThanOrEqual(pauseMsMax);
    }
  });

  test("a check reads all roles, of which Guest and Owner cannot be assigned, and finds a key without the scope", async () => {
    for (let rank = 40; rank < 70; rank += 1) roblox.roles.push({ id: `2${rank}`, name: `Role ${rank}`, rank });
    const { fault, roles } = await service.inspect(roblox.groupId, roblox.key, "rovers");
    expect(fault).toBeNull();
    expect(roles).toHaveLength(37);
    expect(roles.filter((role) => role.fault !== null).map(({ name }) => name)).toStrictEqual(["Guest", "Owner"]);
    expect(roles[0]?.fault).toBe('The role "Guest" is the Guest role of the group, which Roblox assigns to nobody.');
    const scope = { name: "group", operations: ["read"], groupIds: ["*"] };
    roblox.scopes = [scope, { ...scope, operations: ["write"], groupIds: ["1"] }];
    expect((await service.inspect(roblox.groupId, roblox.key, "rovers")).fault).toMatch(
      /does not have the scope group:write/,
    );
    roblox.scopes = null;
    expect((await service.inspect(roblox.groupId, roblox.key, "rovers")).fault).toBeNull();
    const wrong = await service.inspect(roblox.groupId, "secret-of-another", "rovers");
    expect(wrong).toMatchObject({ fault: expect.stringMatching(/^Roblox rejects the API key/), roles: [] });
    expect(JSON.stringify(wrong)).not.toContain("secret-of-another");
  });
});

describe("Discord", () => {
  let discord: FakeDiscord;
  let service: RoleService;
  let client: RoleClient;
  const stop = { restMs: 0, refusals: 0, rests: [] as number[] };
  beforeAll(async () => {
    discord = await startFakeDiscord();
    service = makeDiscordRoles({
      send: makeSendToService({ serviceUrl: discord.url }),
      stop: {
        restMs: async () => stop.restMs,
        noteRefusal: async () => void (stop.refusals += 1),
        rest: async (forMs) => void stop.rests.push(forMs),
      },
      baseUrl: discord.url,
      timeoutMs: TIMEOUT_MS,
      userAgent: "DiscordBot (test)",
    });
    client = service.client(discord.serverId, discord.token, "rovers");
    for (let id = 0; id < 1_500; id += 1) discord.members.set(`80351110224${678_900 + id}`, new Set());
  });
  afterAll(() => discord.close());

  const next = (...replies: Reply[]) => discord.odd.push({ matches: () => true, replies });

  test("members are listed 1,000 at a time, and a role is given and taken", async () => {
    const first = await client.listMembers(null);
    if (first.kind !== "done") throw new Error(first.kind);
    expect(first.value.items).toHaveLength(1_000);
    const second = await client.listMembers(first.value.next);
    expect(second).toMatchObject({ kind: "done", value: { items: { length: 501 }, next: null } });
    const [id, roleId] = ["80351110224678900", "700000000000000010"];
    expect(await client.assign(id, roleId)).toMatchObject({ kind: "done" });
    expect(await client.readMember(id)).toMatchObject({ kind: "done", value: [roleId] });
    expect(await client.unassign(id, roleId)).toMatchObject({ kind: "done" });
    expect(discord.members.get(id)?.size).toBe(0);
    expect(discord.seen.at(-1)?.headers["user-agent"]).toBe("DiscordBot (test)");
  });

  test("each error has its outcome, and those that Discord counts are counted for all clans", async () => {
    const counted = stop.refusals;
    const id = "80351110224678900";
    const cases: [Reply, object][] = [
      [{ status: 404, body: { code: 10_007, message: "Unknown Member" } }, { kind: "not_there" }],
      [
        { status: 404, body: { code: 10_011, message: "Unknown Role" } },
        { kind: "rejected", reason: expect.stringContaining("choose another one in the mapping") },
      ],
      [
        { status: 404, body: { code: 10_004, message: "Unknown Guild" } },
        { kind: "stopped", reason: expect.stringContaining("add the bot to it") },
      ],
      [
        { status: 403, body: { code: 50_013, message: "Missing Permissions" } },
        { kind: "denied", reason: expect.stringContaining("its highest role must be above every role of the mapping") },
      ],
      [
        { status: 401, body: { code: 0 } },
        { kind: "stopped", reason: expect.stringContaining("present token") },
      ],
      [
        { status: 429, body: { retry_after: 1.5, global: false } },
        { kind: "rest", forMs: 1_500 },
      ],
      [
        { status: 429, body: { retry_after: 0.25, global: true } },
        { kind: "rest", forMs: 250 },
      ],
      [
        { status: 429, headers: { "retry-after": "3", ...ofGateway }, body: "<html>" },
        { kind: "rest", forMs: 3_000 },
      ],
      [
        { status: 429, headers: { "retry-after": "4" }, body: "<html>" },
        { kind: "rest", forMs: 4_000 },
      ],
      [{ status: 500, body: "" }, { kind: "failed" }],
    ];
    for (const [reply, expected] of cases) {
      next(reply);
      const got = await client.assign(id, "700000000000000010");
      expect(got).toMatchObject(expected);
      expect(JSON.stringify(got)).not.toContain(discord.token);
    }
    expect(stop.refusals - counted).toBe(6);
    // Discord's gateway bans the address, with a response without JSON. Other proxies say nothing about it.
    expect(stop.rests).toStrictEqual([250, 3_000]);
    stop.restMs = 600_000;
    const seen = discord.seen.length;
    expect(await client.assign(id, "700000000000000010")).toMatchObject({ kind: "rest", forMs: 600_000 });
    expect(discord.seen).toHaveLength(seen);
    stop.restMs = 0;
    next({ status: 204, headers: { "x-ratelimit-remaining": "0", "x-ratelimit-reset-after": "1.25" } });
    expect(await client.assign(id, "700000000000000010")).toMatchObject({ kind: "done", pauseMs: 1_250 });
  });

  test("a check finds roles that the bot is not above, a missing permission and a missing intent", async () => {
    const { fault, roles } = await service.inspect(discord.serverId, discord.token, "rovers");
    expect(fault).toBeNull();
    expect(roles.filter((role) => role.fault === null).map(({ name }) => name)).toStrictEqual([
      "Recruit",
      "Veteran",
      "Elite",
    ]);
    expect(roles.find(({ name }) => name === "Moderator")?.fault).toBe(
      "The bot's highest role must be above the role \"Moderator\": in the settings of the server, under Roles, drag the bot's role above it.",
    );
    const inspect = async () => (await service.inspect(discord.serverId, discord.token, "rovers")).fault;
    discord.hasIntent = false;
    expect(await inspect()).toMatch(/switch on the Server Members Intent/);
    discord.hasIntent = true;
    discord.members.get(discord.botId)?.clear();
    expect(await inspect()).toMatch(/does not have the permission Manage Roles/);
    discord.members.delete(discord.botId);
    expect(await inspect()).toMatch(/add it to the server/);
    expect((await service.inspect("1", discord.token, "rovers")).fault).toMatch(/The bot is not in a server 1/);
    expect((await service.inspect(discord.serverId, "x.y.z", "rovers")).fault).toMatch(
      /Enter the bot's present token\./,
    );
  });
});
