// What each role may do, and what no other site can make a browser do. Every row of the endpoint table is tried.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { DashboardEndpoint } from "#contract/dashboard/endpoint.ts";
import { dashboardEndpoints } from "#contract/dashboard/endpoints.ts";
import { root } from "../../../scripts/paths.js";
import { exchange, JSON_TYPE, openLine, requestText } from "../../support/raw-http.ts";
import { makeVisitor, PASSWORD, type Visitor, useDashboard } from "./dashboard-world.ts";

const dashboard = await useDashboard();
const port = Number(new URL(dashboard.url).port);
const { clanId } = (await dashboard.world.makeClan()).clan;
const { clanId: otherClanId } = (await dashboard.world.makeClan()).clan;
const people = {
  owner: await dashboard.signedIn("ada", "owner", clanId),
  viewer: await dashboard.signedIn("vic", "viewer", clanId),
  moderator: await dashboard.signedIn("mod", "moderator", clanId),
  operator: await dashboard.signedIn("ops", "operator"),
  elsewhere: await dashboard.signedIn("eve", "owner", otherClanId),
  nobody: makeVisitor(dashboard.url),
};
const keys = `/api/clans/${clanId}/keys`;
const newKey = (name: string) => ({ name, scopes: ["read"], expiresAt: null });

const rows = Object.entries<DashboardEndpoint>(dashboardEndpoints);
const mayBe = {
  viewer: ["viewer", "moderator", "owner", "operator"],
  "key-viewer": ["viewer", "owner", "operator"],
  moderator: ["moderator", "owner", "operator"],
  owner: ["owner", "operator"],
  operator: ["operator"],
} as const;

/** With nothing in it that any endpoint could act on: who may pass gets 400 or 404, or reads. */
function pathOf(row: DashboardEndpoint): string {
  return row.path.replace("{clanId}", clanId).replaceAll(/\{\w+\}/g, "none-of-these");
}

describe("the roles of the dashboard", () => {
  test.each(rows.filter(([, row]) => row.access !== "public" && row.access !== "signed-in"))(
    "permit %s only to the documented roles",
    async (_name, row) => {
      const permitted: readonly string[] = mayBe[row.access as keyof typeof mayBe];
      for (const [role, person] of Object.entries(people)) {
        const { status } = await person.send(row.method, pathOf(row), row.method === "GET" ? undefined : {});
        if (role === "nobody") expect([role, status]).toEqual([role, 401]);
        else if (permitted.includes(role)) expect([role, [401, 403].includes(status)]).toEqual([role, false]);
        else expect([role, status]).toEqual([role, 403]);
      }
    },
  );

  test("let moderators do all that viewers may, except read API keys, and of what owners may only two things", () => {
    const withAccess = (access: string) => rows.filter(([, row]) => row.access === access).map(([name]) => name);
    expect(withAccess("key-viewer")).toStrictEqual(["list-keys"]);
    expect(withAccess("moderator")).toStrictEqual(["change-xp", "reverse-award"]);
  });

  test("reject a clan that does not exist like another person's clan", async () => {
    const unknown = await people.owner.get("/api/clans/no-such-clan/keys");
    const others = await people.owner.get(`/api/clans/${otherClanId}/keys`);
    expect([unknown.status, others.status]).toEqual([403, 403]);
    expect(unknown.body.detail).toBe(others.body.detail);
  });
});

describe("a request body", () => {
  const large = JSON.stringify({ name: "x".repeat(200_000) });
  const sendText = (person: Visitor, target: string, body: string) => {
    const headers = { origin: dashboard.url, "content-type": "application/json", cookie: person.cookies() };
    return fetch(`${dashboard.url}${target}`, { method: "POST", headers, body });
  };

  test.for([
    ["not JSON", "{", 400],
    ["too large", large, 413],
  ] as const)(
    "that is %s is validated only for callers who are permitted to send one, and ignored by endpoints without one",
    async ([, body, status]) => {
      expect((await sendText(people.nobody, keys, body)).status).toBe(401);
      expect((await sendText(people.viewer, keys, body)).status).toBe(403);
      expect((await sendText(people.owner, keys, body)).status).toBe(status);
      expect((await sendText(people.nobody, "/api/sign-in", body)).status).toBe(status);
      const { key } = (await people.owner.post(keys, newKey("to revoke"))).body;
      const answer = await sendText(people.owner, `${keys}/${key.keyId}/revoke`, body);
      expect(await answer.json()).toMatchObject({ status: "revoked" });
    },
  );

  test("that arrives after its sender's account was removed changes nothing", async () => {
    const leaver = await dashboard.signedIn("leaver", "owner", clanId);
    const line = await openLine(port);
    try {
      const body = JSON.stringify(newKey("too late"));
      const own = { Host: new URL(dashboard.url).host, Origin: dashboard.url, Cookie: leaver.cookies() };
      const headers = Object.entries({ ...own, "Content-Length": String(body.length) });
      line.write(requestText("POST", keys, [...headers, JSON_TYPE]) + body.slice(0, 10));
      await dashboard.cli.json("account", "remove", "leaver");
      line.write(body.slice(10));
      expect((await line.reply()).status).toBe(401);
      expect(JSON.stringify((await people.owner.get(keys)).body)).not.toContain("too late");
    } finally {
      line.destroy();
    }
  });
});

describe("a connection that no browser opens", () => {
  test.for([
    ["CONNECT", requestText("CONNECT", "host:443")],
    ["a method that HTTP does not define", requestText("BREW", "/")],
    ["two hosts", "GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nHost: 127.0.0.1\r\n\r\n"],
    ["chunks in HTTP/1.0", "POST / HTTP/1.0\r\nHost: 127.0.0.1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"],
  ] as const)("is closed after a bare 400 to %s", async ([, text]) => {
    const line = await openLine(port);
    line.write(text);
    expect(await line.reply()).toMatchObject({ status: 400, body: "" });
    expect(await line.closed()).toBe("");
  });

  test("gets the page of a target that cannot be parsed, and no text of the server itself", async () => {
    const text = requestText("GET", "http://[bad/", [["Host", "127.0.0.1"]]);
    const { status, body } = await exchange(port, text);
    expect([status, String(body).startsWith("<!doctype html>")]).toEqual([200, true]);
  });
});

describe("requests from other sites", () => {
  const changes = rows.filter(([, row]) => row.method !== "GET");
  test("to every endpoint that changes something are rejected with any cookie", async () => {
    const foreign = [
      { origin: "https://evil.example" },
      { origin: "null" },
      { origin: dashboard.url.replace("127.0.0.1", "127.0.0.2") },
      { origin: dashboard.url, "sec-fetch-site": "cross-site" },
      { origin: dashboard.url, "sec-fetch-site": "same-site" },
    ];
    // All of them to the first endpoint, and one of them to each of the others.
    const tried = changes.flatMap(([name, row], at) =>
      (at === 0 ? foreign : foreign.slice(at % 5, (at % 5) + 1)).map((headers) => ({ name, row, headers })),
    );
    expect(tried).toHaveLength(changes.length + 4);
    for (const { name, row, headers } of tried) {
      const { status, body } = await people.operator.send(row.method, pathOf(row), {}, headers);
      expect([name, headers, status, body.code]).toEqual([name, headers, 403, "cross_origin"]);
    }
  });

  test("that lack Origin and Sec-Fetch-Site are rejected if they change something", async () => {
    const headers = { cookie: people.operator.cookie() ?? "" };
    const answer = await fetch(`${dashboard.url}/api/sign-out`, { method: "POST", headers });
    expect(answer.status).toBe(403);
    expect((await people.operator.get("/api/me")).status).toBe(200);
  });

  test("that send a form instead of JSON are rejected even with the right origin", async () => {
    for (const type of ["application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "text/plain"]) {
      const { status } = await people.owner.send("POST", keys, newKey("forged"), { "content-type": type });
      expect([type, status]).toEqual([type, 415]);
    }
  });
});

describe("every response of the dashboard", () => {
  test.each(["/", "/clans/x/keys", "/link", "/api/me", "/api/none", "/assets/none.js"])(
    "at %s forbids frames, foreign hosts and inline code",
    async (path) => {
      const { headers } = await people.nobody.get(path);
      const policy = headers.get("content-security-policy") ?? "";
      expect(policy).toContain("default-src 'none'");
      expect(policy).toContain("frame-ancestors 'none'");
      expect(policy).toContain("require-trusted-types-for 'script'");
      expect(policy).not.toMatch(/unsafe|https?:|\*/);
      const wanted = {
        "x-content-type-options": "nosniff",
        "referrer-policy": "no-referrer",
        "cache-control": "no-store",
        "x-powered-by": null,
        "access-control-allow-origin": null,
      };
      for (const [name, value] of Object.entries(wanted)) expect([name, headers.get(name)]).toEqual([name, value]);
    },
  );

  test("except one omits the secret of a new API key, and no cache may store that one", async () => {
    const created = await people.owner.post(keys, newKey("once"));
    expect(created.headers.get("cache-control")).toBe("no-store");
    expect(created.body.secret).toMatch(/^cxp_/);
    const listed = JSON.stringify((await people.owner.get(keys)).body);
    expect(listed).toContain("once");
    expect(listed).not.toContain(created.body.secret.slice(-20, -4));
    expect(listed).not.toContain("hash");
  });

  test("is a documented one, even if a forged header names another protocol", async () => {
    const url = await dashboard.startAnother({ changes: { dashboardProxies: 1 } });
    for (const protocol of ["ht tp", "://", "javascript", "https, http"]) {
      const headers = { "x-forwarded-proto": protocol };
      const read = await makeVisitor(url).send("GET", "/api/me", undefined, headers);
      const changed = await makeVisitor(url).send("POST", "/api/sign-in", { name: "ada", password: PASSWORD }, headers);
      expect([protocol, read.status, [200, 403].includes(changed.status)]).toEqual([protocol, 401, true]);
    }
  });

  test("may be cached permanently if its file name contains a hash", async () => {
    const page = await people.nobody.get("/");
    const script = /src="(\/assets\/[^"]+\.js)"/.exec(page.body)?.[1] ?? "";
    expect((await people.nobody.get(script)).headers.get("cache-control")).toContain("immutable");
  });

  test.each(["br", "gzip"])("of a built file is compressed for a browser that accepts %s", async (encoding) => {
    for (const path of ["/", "/clans/x/keys"]) {
      const { headers, body } = await people.nobody.send("GET", path, undefined, { "accept-encoding": encoding });
      expect([headers.get("content-encoding"), headers.get("vary")]).toEqual([encoding, "accept-encoding"]);
      expect(body).toBe(readFileSync(join(root, "apps", "dashboard", "dist", "index.html"), "utf8"));
    }
  });

  test("has production scripts, whatever NODE_ENV is, without a path of the build machine", async () => {
    const folder = join(root, "apps", "dashboard", "dist", "assets");
    const scripts = readdirSync(folder).filter((name) => name.endsWith(".js"));
    expect(scripts).not.toHaveLength(0);
    expect(scripts.filter((name) => name.startsWith("jsx-dev-"))).toEqual([]);
    expect(scripts.filter((name) => readFileSync(join(folder, name), "utf8").includes(root))).toEqual([]);
  });
});
