// Requests that no page sends: another clan's ids in every endpoint, forged fields, paths that are read in two ways,
// names that lead here from elsewhere. A new row of the endpoint table does not compile, or fails, until it is named
// here.
import { beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { NoBody, type DashboardEndpoint } from "#contract/dashboard/endpoint.ts";
import { dashboardEndpoints } from "#contract/dashboard/endpoints.ts";
import { publicHookKey } from "#delivery/couriers/hook-sealer.ts";
import { makeHookStore } from "#hooks/store/hook-store.ts";
import { makeClanCaller } from "../../support/clan-caller.ts";
import { HOOK_KEY } from "../../support/erasure-hooks.ts";
import { exchange, requestText } from "../../support/raw-http.ts";
import { until } from "../../support/until.ts";
import { bodies, board, boost, DISCORD_URL, queries, reset, type ParamName } from "./forged-bodies.ts";
import { PASSWORD } from "./dashboard-world.ts";
import { useClan } from "./use-clan.ts";

/** In everything of the clan that is attacked. */
const CANARY = "of-the-other-clan";

const { dashboard, port, clan, owner: ada } = await useClan({ worker: true });
const mine = clan.clanId;
const operator = await dashboard.signedIn("ops", "operator");
const attacked = await makeClanCaller(dashboard.world, port, { name: CANARY });
const theirs = attacked.clanId;
const eve = await dashboard.signedIn("eve", "owner", theirs);
let theirIds: Record<ParamName, string>;
beforeAll(async () => {
  const api = `/api/clans/${theirs}`;
  const { erasureId } = (await eve.post(`${api}/members/nobody/erasure`)).body;

  const { awardId } = (await attacked.awardChange("victim", { amount: 50, reason: CANARY })).body.change;
  const undone = (await attacked.awardChange("victim", { amount: 5, reason: CANARY })).body.change.awardId;
  const { batchId } = (await attacked.submit([{ platformId: CANARY, amount: 1 }], { prefer: "respond-async" })).body;
  await until(async () => (await eve.get(`${api}/batches/${batchId}`)).body.status === "done");
  const { reversalId } = (await eve.post(`${api}/members/victim/awards/${undone}/reversal`, { reason: CANARY })).body;
  await until(async () => (await eve.get(`${api}/reversals/${reversalId}`)).body.status === "done");
  const { boosts } = (await eve.post(`${api}/boosts`, { ...boost, name: CANARY })).body;
  const { key } = (await eve.post(`${api}/keys`, { name: CANARY, scopes: ["read"], expiresAt: null })).body;
  await until(async () => (await eve.get(`${api}/erasures/${erasureId}`)).body.state === "done");
  // Members are projected behind the ledger.
  const projected = { clanId: theirs, $or: [{ platformId: CANARY }, { platformId: "victim", seq: 3 }] };
  await until(async () => (await dashboard.world.database.db().collection("members").countDocuments(projected)) === 2);
  const destination = { kind: "discord", name: CANARY, url: DISCORD_URL, types: ["member.joined"], only: null };
  const { destinationId } = (await eve.post(`${api}/destinations`, destination)).body.destination;
  const { boardId, current } = (await eve.post(`${api}/boards`, { ...board, name: CANARY })).body;
  await makeHookStore(dashboard.world.database).publishKey(publicHookKey(HOOK_KEY));
  const { hookId } = (await eve.post(`${api}/erasure-hooks`, {})).body;
  const { resetId } = (await eve.post(`${api}/resets`, reset)).body;
  const { boostId } = boosts[0];
  const { periodId } = current;
  const { keyId } = key;
  const ofMember = { platformId: "victim", awardId, batchId, reversalId, erasureId };
  theirIds = { ...ofMember, keyId, name: "eve", destinationId, boostId, resetId, boardId, periodId, hookId };
});

const rows = Object.entries<DashboardEndpoint>(dashboardEndpoints);
const ofClan = rows.filter(([, { path }]) => path.includes("{clanId}"));

const bodyOf = (name: string): object | undefined => Reflect.get(bodies, name);
const portOf = (url: string): number => Number(new URL(url).port);

/** With the ids of the attacked clan, below the path of `clanId`. */
function attackOn(clanId: string, name: string, row: DashboardEndpoint): string {
  const path = row.path.replace("{clanId}", clanId).replaceAll(/\{(\w+)\}/g, (_, param: ParamName) => theirIds[param]);
  return `${path}${String(Reflect.get(queries, name) ?? "")}`;
}

/** What a worker counts from the ledger by itself. */
const COUNTED = new Set(["periods", "standings"]);

/** Everything stored of the attacked clan, but for when its key was last used and how far its boards are counted. */
async function storedOfTheirs(): Promise<string[]> {
  const collections = await dashboard.world.database.db().collections();
  const kept = collections.filter(({ collectionName }) => !COUNTED.has(collectionName));
  const found = await Promise.all(kept.map((one) => one.find().toArray()));
  return found
    .flat()
    .map(({ lastUsedAt: _lastUsedAt, asOf: _asOf, due: _due, coveredTo: _coveredTo, ...document }) =>
      JSON.stringify(document, (_key, value) => (typeof value === "bigint" ? String(value) : value)),
    )
    .filter((text) => text.includes(theirs))
    .toSorted((a, b) => a.localeCompare(b));
}

const isErased = async (erasureId: string): Promise<boolean> =>
  (await ada.get(`/api/clans/${mine}/erasures/${erasureId}`)).body.state === "done";

describe("the IDs of another clan", () => {
  let storedBefore: string[];
  beforeAll(async () => {
    storedBefore = await storedOfTheirs();
  });

  test.each(ofClan)("at %s in the caller's own clan reveal nothing and change nothing", async (name, row) => {
    const path = attackOn(mine, name, row);
    expect(path).not.toContain("undefined");
    const { status, body } = await (row.access === "operator" ? operator : ada).send(row.method, path, bodyOf(name));
    expect(JSON.stringify(body)).not.toContain(CANARY);
    // Until then, other changes of the player wait.
    if (name === "erase-member") await until(() => isErased(body.erasureId));
    // A player of the same name may be known in the own clan; other ids belong to one clan.
    if (/keyId|batchId|reversalId|erasureId|boostId|resetId|boardId|hookId/.test(row.path))
      expect([status, body.code]).toEqual([404, "not_found"]);
    else if (/destinationId/.test(row.path)) expect([status, body.code]).toEqual([404, "destination_not_found"]);
    else expect([200, 404, 409, 400]).toContain(status);
    if (row.method !== "GET") expect(await storedOfTheirs()).toEqual(storedBefore);
  });

  test("in the other clan's path are forbidden, with bodies that would otherwise be accepted, and change nothing", async () => {
    expect(storedBefore.length).toBeGreaterThan(5);
    for (const [name, row] of ofClan) {
      const { status, body } = await ada.send(row.method, attackOn(theirs, name, row), bodyOf(name));
      expect([name, status, body.code]).toEqual([name, 403, "forbidden"]);
      expect(JSON.stringify(body)).not.toContain(CANARY);
    }
    expect(await storedOfTheirs()).toEqual(storedBefore);
  });

  test("in an ambiguous path are rejected", async () => {
    const headers = Object.entries({ Host: new URL(dashboard.url).host, Cookie: ada.cookies() });
    const get = (target: string) => exchange(portOf(dashboard.url), requestText("GET", target, headers));
    expect((await get(`/api/clans/${mine}/keys`)).status).toBe(200);
    const targets = [
      ...["..", "%2e%2e", "%2E.", "..%2f..", "%5c.."].map((dots) => `/api/clans/${mine}/${dots}/${theirs}/keys`),
      `/api/clans/${mine}%2f..%2f${theirs}/keys`,
      `/api/clans/${mine};/../${theirs}/keys`,
      `/api//clans/${theirs}/keys`,
      `/API/clans/${theirs}/keys`,
      `//api/clans/${theirs}/keys`,
      `/api/clans/${theirs}/keys/`,
      `/api/clans/${theirs}%00/keys`,
      `http://127.0.0.1/api/clans/${theirs}/keys`,
      `/api/clans/${mine}/keys?clanId=${theirs}`,
    ];
    for (const target of targets) {
      const { status, body } = await get(target);
      expect([target, JSON.stringify(body).includes(CANARY)]).toEqual([target, false]);
      // The page, which is the same for everybody, or an error.
      const isPage = status === 200 && typeof body === "string" && body.startsWith("<!doctype html>");
      expect([target, isPage || status >= 400]).toEqual([target, true]);
    }
  });
});

describe("a forged request", () => {
  const known = (row: DashboardEndpoint) => row.path.replace("{clanId}", mine).replaceAll(/\{\w+\}/g, "none-of-these");

  test.each(rows.filter(([, { body }]) => body !== NoBody))(
    "to %s is rejected for every unknown field",
    async (_name, row) => {
      const person = row.access === "operator" ? operator : ada;
      const accepted = row.body instanceof z.ZodObject ? Object.keys(row.body.shape) : [];
      const fields = ["operator", "role", "grants", "clanId", "actor", "by", "via"];
      const unknown = fields.filter((field) => !accepted.includes(field));
      const sent = Object.fromEntries(unknown.map((field) => [field, "operator"]));
      const { status, body } = await person.send(row.method, known(row), sent);
      expect([status, body.code]).toEqual([400, "invalid_request"]);
      const pointers = body.errors.map(({ pointer }: { pointer: string }) => pointer);
      expect(pointers).toEqual(expect.arrayContaining(unknown.map((field) => `/${field}`)));
      const { body: me } = await ada.get("/api/me");
      expect(me).toMatchObject({ operator: false, clans: [{ clanId: mine, role: "owner" }] });
    },
  );

  test("to every endpoint is rejected for an unknown query parameter", async () => {
    for (const [name, row] of rows) {
      const person = row.access === "operator" ? operator : ada;
      const body = row.body === NoBody ? undefined : {};
      expect([name, (await person.send(row.method, `${known(row)}?as=operator`, body)).status]).toEqual([name, 400]);
    }
    // Nobody was signed out, either.
    for (const person of [ada, operator]) expect((await person.get("/api/me")).status).toBe(200);
  });

  test("with a method in a header is processed with its real method", async () => {
    const headers = { "x-http-method-override": "POST", "x-http-method": "POST", "x-method-override": "POST" };
    const { status, body } = await ada.send("GET", `/api/clans/${mine}/keys`, undefined, headers);
    expect([status, body.live]).toEqual([200, expect.any(Number)]);
  });
});

describe("host names of requests", () => {
  async function expectStatuses(
    wanted: [number, number],
    hosts: readonly string[],
    url = dashboard.url,
  ): Promise<void> {
    for (const host of hosts) {
      const targets = ["/", "/api/me"].map((target) => requestText("GET", target, [["Host", host]]));
      const replies = await Promise.all(targets.map((text) => exchange(portOf(url), text)));
      expect([host, replies.map(({ status }) => status)]).toEqual([host, wanted]);
    }
  }

  test("are rejected unless they are localhost, an IP address or the host of DASHBOARD_URL", async () => {
    const own = portOf(dashboard.url);
    const within = ["127.0.0.1.evil.example", "localhost.evil.example", "evil.localhost.example"];
    const strangers = ["evil.example", `evil.example:${own}`, "user@127.0.0.1", "clans.example"];
    await expectStatuses([421, 421], [...within, ...strangers]);
    const local = [`127.0.0.1:${own}`, "localhost", `LOCALHOST:${own}`, "[::1]:81", "192.0.2.7"];
    await expectStatuses([200, 401], local);
    const named = await dashboard.startAnother({ changes: { dashboardUrl: "https://clans.example" } });
    await expectStatuses([200, 401], ["clans.example", "Clans.Example:443"], named);
    await expectStatuses([421, 421], ["clans.example.evil", "not-clans.example", "clans.example:8080"], named);
  });

  test("of localhost and the IP address can sign in beside DASHBOARD_URL, each from its own origin only", async () => {
    const url = await dashboard.startAnother({ changes: { dashboardUrl: "http://127.0.0.1:8081" } });
    const real = portOf(url);
    const statusOf = async (Host: string, Origin: string) => {
      const headers = Object.entries({ Host, Origin, "Content-Type": "application/json" });
      const text = requestText("POST", "/api/sign-in", headers, JSON.stringify({ name: "ada", password: PASSWORD }));
      return (await exchange(real, text)).status;
    };
    expect(await statusOf("127.0.0.1:8081", "http://127.0.0.1:8081")).toBe(200);
    expect(await statusOf(`localhost:${real}`, `http://localhost:${real}`)).toBe(200);
    expect(await statusOf(`localhost:${real}`, "http://localhost:1")).toBe(403);
    expect(await statusOf("127.0.0.1:8081", "https://127.0.0.1:8081")).toBe(403);
  });
});

test("no path redirects to another host", async () => {
  const paths = ["//evil.example/", "/%5cevil.example", "/\\evil.example", "/api//evil.example"];
  const parameters = ["/link?next=https://evil.example", "/?returnTo=//evil.example"];
  for (const path of [...paths, ...parameters]) {
    const text = requestText("GET", path, [["X-Forwarded-Host", "evil.example"]]);
    const reply = await exchange(portOf(dashboard.url), text);
    expect([path, reply.headers.get("location"), [200, 400, 404].includes(reply.status)]).toEqual([path, null, true]);
    expect(JSON.stringify(reply.body)).not.toContain("evil.example");
  }
});
