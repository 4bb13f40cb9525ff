import { METHODS } from "node:http";
import { beforeAll, describe, expect, test } from "vitest";
import { endpoints } from "#contract/endpoints.ts";
import { expectResponse, expectProblem } from "../support/responses.ts";
import type { Reply } from "../support/http.ts";
import { bearer, exchange, JSON_TYPE, openLine, requestText, type Header } from "../support/raw-http.ts";
import { until } from "../support/until.ts";
import { useApi } from "../support/use-api.ts";

describe("a request method", async () => {
  const { world, port, clan } = await useApi();
  beforeAll(async () => {
    await clan.award("m", { amount: 5 });
  });

  function pathOf(template: string): string {
    return template.replace("{clanId}", clan.clanId).replaceAll(/\{\w+\}/g, "m");
  }
  const send = (method: string, template: string): Promise<Reply> =>
    exchange(port, requestText(method, pathOf(template), [bearer(clan)]), { bodiless: method === "HEAD" });

  const served = new Map<string, string[]>();
  for (const { path, method } of Object.values(endpoints)) {
    served.set(path, [...(served.get(path) ?? []), method, ...(method === "GET" ? ["HEAD"] : [])]);
  }

  for (const [path, allowed] of served) {
    test(`is accepted at ${path} if it is ${allowed.join(", ")}; every other one returns 405 with Allow`, async () => {
      for (const method of METHODS.filter((name) => !allowed.includes(name) && name !== "HEAD" && name !== "CONNECT")) {
        const reply = await send(method, path);
        expectProblem(reply, 405, "method_not_allowed");
        expect(reply.headers.get("allow")?.split(", ").toSorted()).toStrictEqual(allowed.toSorted());
      }
    });
  }

  test.for([
    ["read-clan", 200],
    ["list-members", 200],
    ["read-member", 200],
    ["read-ledger", 200],
    ["read-batch", 404],
  ] as const)("HEAD returns the headers of GET, without a body: %s", async ([name, status]) => {
    const { path } = endpoints[name];
    const [head, get] = [await send("HEAD", path), await send("GET", path)];
    expect([head.status, get.status, head.body]).toStrictEqual([status, status, ""]);
    for (const header of ["content-type", ...(status === 200 ? ["content-length"] : [])])
      expect(head.headers.get(header)).toBe(get.headers.get(header));
  });

  test("HEAD returns 405 without a body at a path that only supports POST", async () => {
    const reply = await send("HEAD", endpoints["apply-award"].path);
    expect({ status: reply.status, allow: reply.headers.get("allow"), body: reply.body }).toStrictEqual({
      status: 405,
      allow: "POST",
      body: "",
    });
  });

  // The parser knows those of RTSP and HTTP/2, but not as methods of HTTP/1.1.
  const undefinedInHttp = ["BREW", "get", "X-Y!", "PROPFINDS", "M".repeat(200), "PLAY", "FLUSH", "PRI"];
  test.for(["CONNECT", ...undefinedInHttp])("%s gets a bare 400 and a closed connection", async (method) => {
    const { path } = endpoints["apply-award"];
    const target = method === "CONNECT" ? "host:443" : pathOf(path);
    const text = requestText(method, target, [bearer(clan), ["Content-Length", "12"]], '{"amount":1}');
    for (const request of [text, text.replace("HTTP/1.1", "HTTP/1.0")]) {
      const line = await openLine(port);
      line.write(request + requestText("GET", pathOf(path)));
      expect(await line.reply()).toMatchObject({ status: 400, body: "" });
      expect(await line.closed()).toBe("");
    }
  });

  test.for(["CONNECT", "BREW"])("%s is answered after a pending request on the same connection", async (method) => {
    const line = await openLine(port);
    // No worker takes the batch.
    const headers: Header[] = [bearer(clan), JSON_TYPE, ["Prefer", "wait=1"]];
    const before = (await world.batches.countUnfinished()).get(clan.clanId) ?? 0;
    line.write(requestText("POST", `/v0/clans/${clan.clanId}/xp`, headers, '{"awards":[{}]}'));
    // In a separate packet.
    await until(async () => (await world.batches.countUnfinished()).get(clan.clanId) === before + 1);
    line.write(requestText(method, "/nowhere"));
    expect((await line.reply()).status).toBe(202);
    expect(await line.reply()).toMatchObject({ status: 400, body: "" });
    expect(await line.closed()).toBe("");
  });

  test("TRACE does not return the request", async () => {
    const reply = await send("TRACE", endpoints["read-clan"].path);
    expect(JSON.stringify(reply.body)).not.toContain(clan.key);
  });

  test("never changes a member if it is not allowed", async () => {
    expect(expectResponse("read-member", await clan.get("/members/m")).xp).toBe("5");
  });
});
