import { beforeAll, describe, expect, test } from "vitest";
import { errorCodes } from "#kernel/error-code.ts";
import { problemType } from "#contract/problem.ts";
import { expectProblem } from "../support/responses.ts";
import type { ClanCaller } from "../support/clan-caller.ts";
import { callerOf, type Caller, type Reply } from "../support/http.ts";
import { useApi } from "../support/use-api.ts";

let anyone: Caller;
const { world, port, clan } = await useApi();
beforeAll(async () => {
  anyone = callerOf(port, null);
});

describe("the type of a problem", () => {
  test("links to a public page, at the section of its code", async () => {
    const { type } = expectProblem(await clan.with(null).get(""), 401, "key_missing");
    expect(type).toBe(problemType("key_missing"));
    const { pathname } = new URL(type, "http://x");
    const page = await anyone.get(pathname, { accept: "text/html" });
    expect(page.headers.get("content-type")).toBe("text/html; charset=utf-8");
    for (const code of errorCodes)
      expect(page.body).toContain(` id="${new URL(problemType(code), "http://x").hash.slice(1)}"`);
  });

  test("links to pages that answer GET and HEAD, and any other method with 405 and Allow", async () => {
    for (const path of ["/docs/reference/errors.md", "/docs/how-to/migrate-from-batch-awards.md"]) {
      expect((await anyone.send("HEAD", path)).status).toBe(200);
      const reply = await anyone.post(path, {});
      expectProblem(reply, 405, "method_not_allowed");
      expect(reply.headers.get("allow")).toBe("GET, HEAD");
    }
  });
});

describe("a response of POST …/xp announces the deprecation", () => {
  function expectDeprecated(reply: Reply, clanId: string): void {
    expect(reply.headers.get("deprecation")).toMatch(/^@\d{10}$/);
    expect(reply.headers.get("sunset")).toBeNull();
    const found = (reply.headers.get("link") ?? "").matchAll(/<([^>]*)>[^,]*?; ?rel="([^"]*)"/g);
    const links = new Map([...found].map(([, target = "", rel = ""]) => [rel, target]));
    expect([...links.keys()].toSorted()).toStrictEqual(["deprecation", "successor-version"]);
    expect(links.get("successor-version")).toMatch(new RegExp(`^/v0/clans/${clanId}/members/[^/]+/xp$`));
  }

  const requests: [number, (caller: ClanCaller) => Promise<Reply>][] = [
    [200, (caller) => caller.submit([])],
    [202, (caller) => caller.submit([{ platformId: "b", amount: 0 }], { prefer: "respond-async" })],
    [400, (caller) => caller.post("/xp", "nonsense")],
    [400, (caller) => caller.post("/xp", {})],
    [401, (caller) => caller.with(null).post("/xp", { awards: [] })],
    [413, (caller) => caller.post("/xp", " ".repeat(300_000))],
    [413, (caller) => caller.submit(Array.from({ length: 501 }))],
    [415, (caller) => caller.post("/xp", "x", { "content-type": "text/plain" })],
  ];
  test.for(requests)("with status %d", async ([status, request]) => {
    const reply = await request(clan);
    expect(reply.status).toBe(status);
    expectDeprecated(reply, clan.clanId);
  });

  test("with status 403, for a missing scope and for another clan, and with status 422", async () => {
    const { secret } = await world.makeKey(clan.clanId, ["read"]);
    expectDeprecated(await clan.with(secret).post("/xp", { awards: [] }), clan.clanId);
    expectDeprecated(await callerOf(port, clan.key).post("/v0/clans/other/xp", { awards: [] }), "other");
    const headers = { "idempotency-key": "once", prefer: "respond-async" };
    await clan.submit([], headers);
    const reply = await clan.submit([{ platformId: "m", amount: 1 }], headers);
    expect(reply.status).toBe(422);
    expectDeprecated(reply, clan.clanId);
  });

  test("but responses of other endpoints, and of other methods at its path, do not", async () => {
    for (const reply of [
      await clan.award("m", { amount: 1 }),
      await clan.get(""),
      await clan.get("/xp"),
      await clan.get("/batches/b"),
    ]) {
      expect(reply.headers.get("deprecation")).toBeNull();
      expect(reply.headers.get("link")).toBeNull();
    }
  });

  test("and links to a page that is served", async () => {
    const [, target = ""] =
      /<([^>]*)>; rel="deprecation"/.exec((await clan.post("/xp", {})).headers.get("link") ?? "") ?? [];
    expect((await anyone.get(target)).status).toBe(200);
  });
});
