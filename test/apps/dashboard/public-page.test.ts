// The public pages of clans, over HTTP: what they show, and of whom; their addresses, headers and limits.
import { connect } from "node:net";
import { describe, expect, test } from "vitest";
import { renderPage } from "../../../apps/dashboard/public/render-page.ts";
import { actsInTime } from "../../support/acts-in-time.ts";
import type { ClanCaller } from "../../support/clan-caller.ts";
import { cliOn } from "../../support/cli.ts";
import { profiled } from "../../support/profiled.ts";
import { until } from "../../support/until.ts";
import { usePublicPages } from "./use-public-pages.ts";

const { dashboard, world, env, cli, url, newAddress, look, json, published } = await usePublicPages();

/** Every path of a clan's page with a board. */
const pathsOf = (path: string) => [
  path,
  `${path}.json`,
  `${path}/embed`,
  `${path}/embed?board=weekly&rows=50`,
  `${path}/boards/weekly`,
  `${path}/boards/weekly.json`,
];

async function addBoard({ clanId }: ClanCaller): Promise<void> {
  // No week ends during the tests.
  const on = new Intl.DateTimeFormat("en", { weekday: "long", timeZone: "UTC" }).format(Date.now() + 3 * 86_400_000);
  await cli.json("board", "set", clanId, "weekly", "--every", "week", "--on", on.toLowerCase());
}

describe("a public page", () => {
  test("shows exactly the documented fields, positions of ties, and names only if they are on", async () => {
    const { clan, run, path } = await published({ a: 5_000, b: 300, c: 300, d: 7 });
    await addBoard(clan);
    await cli.json("member", "appoint", clan.clanId, "b", "--rank", "Officer");
    await clan.post("/names", { names: [{ platformId: "a", name: "Ada <b>" }] });
    const expected = {
      clan: {
        name: clan.clan.name,
        members: 4,
        xp: "5607",
        ranks: clan.clan.ranks.map(({ name }) => ({
          name,
          members: { Guest: 1, Recruit: 1, Veteran: 1, Officer: 1 }[name] ?? 0,
        })),
      },
      members: [
        { position: 1, name: "Player 1", xp: "5000", rank: "Veteran" },
        { position: 2, name: "Player 2", xp: "300", rank: "Officer" },
        { position: 2, name: "Player 2", xp: "300", rank: "Recruit" },
        { position: 4, name: "Player 4", xp: "7", rank: "Guest" },
      ],
      boards: [{ boardId: "weekly", name: "weekly" }],
      asOf: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
    };
    await until(async () => (await json(`${path}.json`)).boards.length === 1);
    expect(await json(`${path}.json`)).toStrictEqual(expected);
    await run("publish", "--names", "on");
    await actsInTime(async () => (await json(`${path}.json`)).members[0].name === "Ada <b>");
    const { text } = await look(path);
    expect(text).toContain('<bdi class="name">Ada &lt;b&gt;</bdi>');
    expect(text).toContain("Player 4");
    expect(text).toContain(`href="${path}/boards/weekly"`);

    let period: any;
    await until(async () => {
      const reply = await look(`${path}/boards/weekly.json`);
      if (reply.status === 200) period = JSON.parse(reply.text);
      return period?.members.length === 4;
    });
    expect(period).toStrictEqual({
      clan: { name: clan.clan.name },
      board: { boardId: "weekly", name: "weekly" },
      period: {
        periodId: expect.stringMatching(/^\d{8}T\d{6}Z$/),
        startsAt: expect.any(String),
        endsAt: expect.any(String),
        status: "open",
        members: 4,
      },
      members: [
        { position: 1, previousPosition: null, name: "Ada <b>", xp: "5000" },
        { position: 2, previousPosition: null, name: "Player 2", xp: "300" },
        { position: 2, previousPosition: null, name: "Player 2", xp: "300" },
        { position: 4, previousPosition: null, name: "Player 4", xp: "7" },
      ],
      asOf: expect.any(String),
    });
    const own = await json(`${path}/boards/weekly/${period.period.periodId}.json`);
    expect(own.members).toStrictEqual(period.members);
    expect((await look(`${path}/boards/weekly/previous`)).status).toBe(404);
  });

  test("has no platform ID, key, internal ID, hidden name or appointment of a hidden member in any of its bytes", async () => {
    const ids = ["plat-form-1", "plat-form-2", "plat-form-3", "plat-form-4"];
    const { clan, run, path } = await published(Object.fromEntries(ids.map((id, index) => [id, 2_000 - index])));
    await addBoard(clan);
    await clan.change({ ranks: [...clan.clan.ranks, { id: "secret-rank", name: "Spymaster", kind: "STAFF" }] });
    await cli.json("member", "appoint", clan.clanId, "plat-form-2", "--rank", "Spymaster");
    const names = ids.map((platformId, index) => ({ platformId, name: `Name${index + 1}` }));
    await clan.post("/names", { names });
    await clan.post("/names", { names: [{ platformId: "plat-form-1", hidden: true }] });
    const { answer } = await cli.json("member", "hide", clan.clanId, "plat-form-2");
    expect(answer).toStrictEqual({ clanId: clan.clanId, platformId: "plat-form-2", hidden: true });
    await run("publish", "--names", "on", "--frames", "any");
    await until(async () => (await look(`${path}/boards/weekly`)).text.includes("Name4"));
    await actsInTime(async () => (await json(`${path}.json`)).members[1].name === "Hidden player");
    const { members } = await json(`${path}.json`);
    expect(members).toStrictEqual([
      { position: 1, name: "Hidden player", xp: "2000", rank: "Veteran" },
      { position: 2, name: "Hidden player", xp: "1999", rank: null },
      { position: 3, name: "Name3", xp: "1998", rank: "Veteran" },
      { position: 4, name: "Name4", xp: "1997", rank: "Veteran" },
    ]);
    const docs = await world.database.db().collection("boards").find({ clanId: clan.clanId }).toArray();
    const [, keyId = ""] = clan.key.split("_");
    const secrets = [...ids, keyId, "secret-rank", "Name1", "Name2", ...docs.flatMap((doc) => doc["uid"] ?? [])];
    for (const each of pathsOf(path)) {
      const { status, headers, text } = await look(each);
      const sent = `${text}${JSON.stringify([...headers])}`;
      expect([each, status, secrets.filter((secret) => sent.includes(secret))]).toStrictEqual([each, 200, []]);
      expect(sent.includes("Spymaster")).toBe(each === path || each === `${path}.json`);
      if (!path.includes(clan.clanId)) expect(sent).not.toContain(clan.clanId);
    }
    expect((await cli.json("member", "unhide", clan.clanId, "plat-form-1")).answer.hidden).toBe(true);
    await cli.json("member", "unhide", clan.clanId, "plat-form-2");
    await actsInTime(async () => (await json(`${path}.json`)).members[1].name === "Name2");
    const erased = await cli.json("member", "erase", clan.clanId, "plat-form-3", "--yes");
    expect(erased.exitCode).toBe(0);
    await actsInTime(async () => !(await look(path)).text.includes("Name3"));
  });

  test("compares a board with the period before", async () => {
    const { clan, path } = await published({ a: 1 });
    const hour = 3_600_000;
    const at = (hours: number) => new Date(Date.now() + hours * hour).toISOString();
    const season = (...args: string[]) => cli.json("board", ...args);
    await season("set", clan.clanId, "s", "--season", "--from", at(24), "--to", at(48), "--name", "Seasons");
    await until(async () => (await look(`${path}/boards/s`)).text.includes("No season yet"));
    expect(await json(`${path}/boards/s.json`)).toMatchObject({ period: null, members: [] });
    const board = {
      kind: "board",
      clan: { name: "C" },
      board: { boardId: "s", name: "S" },
      hasPrevious: true,
    } as const;
    const now = new Date();
    const period = { periodId: "p", startsAt: now, endsAt: now, finalAt: now, status: "open", members: 4 } as const;
    const member = (position: number, previousPosition: number | null) => ({
      position,
      previousPosition,
      name: `N${position}`,
      xp: 5n,
    });
    const members = [member(1, 3), member(2, 2), member(3, 1), member(4, null)];
    const html = renderPage({ ...board, period, members, asOf: now }, { slug: "c", index: true });
    const notes = [...html.matchAll(/<\/bdi> (.*?) <span class="number">/g)].map(([, note = ""]) => textOf(note));
    expect(notes).toStrictEqual(["▲2up 2 places", "", "▼2down 2 places", "new"]);
  });

  test("has the documented headers, is only read, and is not sent again to whom it did not change", async () => {
    const { run, path } = await published({ a: 5 });
    const policy = (headers: Headers) => headers.get("content-security-policy") ?? "";
    const page = await look(path);
    expect(policy(page.headers)).toMatch(
      /^default-src 'none'; style-src 'sha256-[^']{44}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'$/,
    );
    expect(Object.fromEntries(page.headers)).toMatchObject({
      "x-content-type-options": "nosniff",
      "referrer-policy": "no-referrer",
      "x-robots-tag": "noindex",
      "cache-control": "public, max-age=15",
    });
    expect(page.headers.get("set-cookie")).toBeNull();
    expect(page.text).not.toMatch(/<script|http-equiv|src=|url\(/);
    expect(Number(page.headers.get("content-length"))).toBeLessThan(30_000);
    const data = await look(`${path}.json`);
    expect(data.headers.get("access-control-allow-origin")).toBe("*");
    await run("publish", "--index", "on", "--frames", "https://a.example,http://localhost:3000");
    await actsInTime(async () => (await look(path)).headers.get("x-robots-tag") === null);
    for (const each of [`${path}.json`, `${path}/embed`])
      expect((await look(each)).headers.get("x-robots-tag")).toBe("noindex");
    const embed = await look(`${path}/embed?theme=dark&refresh=15`);
    expect(policy(embed.headers)).toMatch(/frame-ancestors https:\/\/a\.example http:\/\/localhost:3000$/);
    expect(embed.headers.get("refresh")).toBe("15");

    const etag = (await look(path)).headers.get("etag") ?? "";
    const headers = { "if-none-match": etag };
    expect(await look(path, { headers })).toMatchObject({ status: 304, text: "" });
    const head = await look(path, { method: "HEAD", headers: { "accept-encoding": "identity" } });
    expect([head.status, head.text]).toStrictEqual([200, ""]);
    for (const method of ["POST", "PUT", "DELETE", "OPTIONS"]) {
      const { status, headers: sent } = await look(path, { method });
      expect([status, sent.get("allow")]).toStrictEqual([405, "GET, HEAD"]);
    }
  });

  test("is read from the database once a second, however many look, and by one address 60 times a minute", async () => {
    const { path } = await published({ a: 5 });
    await look(path);
    const reads = async (act: () => Promise<unknown>) =>
      (await profiled(world, "slugs", act)).filter(({ op, command }) => op === "query" || command?.find).length;
    const began = performance.now();
    const read = await reads(() => Promise.all(Array.from({ length: 300 }, () => look(path))));
    expect(read).toBeLessThanOrEqual(Math.ceil((performance.now() - began) / 1_000) + 1);

    const from = newAddress();
    const misses = await Promise.all(Array.from({ length: 60 }, (_, n) => look(`/c/missing-${n}`, { from })));
    expect(new Set(misses.map(({ status }) => status))).toStrictEqual(new Set([404]));
    const limited = await look("/c/missing-60", { from });
    expect([limited.status, limited.headers.get("cache-control")]).toStrictEqual([429, "no-store"]);
    expect(limited.headers.get("content-type")).toContain("text/plain");
    expect(Number(limited.headers.get("retry-after"))).toBeGreaterThan(0);
    // What is cached is given to everybody.
    expect((await look(path, { from })).status).toBe(200);
    expect((await look("/c/missing-60")).status).toBe(404);
  });

  test("of no clan is served where operators turn them off", async () => {
    const { path, clan } = await published({});
    const off = await dashboard.startAnother({ changes: { publicPages: false } });
    for (const method of ["GET", "POST"]) expect((await look(path, { at: off, method })).status).toBe(404);
    const { exitCode, stderr } = await cliOn({ ...env, PUBLIC_PAGES: "off" }).json("clan", "publish", clan.clanId);
    expect([exitCode, stderr]).toStrictEqual([0, expect.stringContaining("PUBLIC_PAGES is off")]);
  });

  test("needs no host name, and takes no part of a path as another one", async () => {
    const { path } = await published({});
    const { port: own } = new URL(url);
    const statusOf = (target: string) =>
      new Promise<string>((resolve) => {
        const socket = connect(Number(own), "127.0.0.1", () =>
          socket.write(`GET ${target} HTTP/1.1\r\nHost: other.example\r\nConnection: close\r\n\r\n`),
        );
        socket.once("data", (data) => resolve(String(data).split("\r\n")[0] ?? ""));
      });
    expect(await statusOf(path)).toContain("200");
    expect(await statusOf(path.replace("/c/", "/c//"))).toContain("404");
  });
});

function textOf(html: string): string {
  return html.replaceAll(/<[^>]*>/g, "");
}
