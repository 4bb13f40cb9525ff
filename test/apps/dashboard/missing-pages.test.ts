// Addresses below `/c/` that have no page: they say nothing about a clan, neither by what they return nor by what they
// cost.
import { connect } from "node:net";
import { text as textOf } from "node:stream/consumers";
import { describe, expect, test } from "vitest";
import { actsInTime } from "../../support/acts-in-time.ts";
import { profiled } from "../../support/profiled.ts";
import { usePublicPages } from "./use-public-pages.ts";

const { dashboard, world, cli, look, published } = await usePublicPages();

describe("a public page that does not exist", () => {
  test("of an unpublished, a deleted and an unknown clan is the same response, and so is every other path", async () => {
    const [gone, deleted, kept] = [await published({}), await published({}), await published({})];
    expect((await look(gone.path)).status).toBe(200);
    await gone.run("unpublish");
    expect((await gone.run("unpublish")).exitCode).toBe(0);
    await cli.json("clan", "delete", deleted.clan.clanId, "--yes");
    await actsInTime(async () => (await look(gone.path)).status === 404);
    const strange = [gone.path, deleted.path, "/c/nobody-has-it", "/c/", "/c/x", "/c/UPPER-case", `${kept.path}/`];
    strange.push(`${kept.path}//boards`, `${kept.path}/boards/none`, `${kept.path}/embed/`, `${kept.path}/embed.json`);
    strange.push(`${kept.path.slice(0, -1)}%${(kept.path.codePointAt(kept.path.length - 1) ?? 0).toString(16)}`);
    for (const query of [
      "rows=4",
      "rows=51",
      "rows=5&rows=6",
      "theme=blue",
      "refresh=14",
      "refresh=3601",
      "board=none",
    ])
      strange.push(`${kept.path}/embed?${query}`);
    const replies = await Promise.all(strange.map((path) => look(path)));
    const shape = ({ status, headers, text }: (typeof replies)[number]) => {
      const { date: _date, ...others } = Object.fromEntries(headers);
      return { status, headers: others, text };
    };
    const [first, ...others] = replies.map(shape);
    expect(first).toMatchObject({ status: 404, headers: { "cache-control": "no-store" } });
    expect(first?.headers["content-type"]).toContain("text/html");
    for (const [index, other] of others.entries())
      expect([strange[index + 1], other]).toStrictEqual([strange[index + 1], first]);
    expect((await look(`${kept.path}?utm_source=x`)).status).toBe(200);
  });

  test("costs the same reads and sends the same bytes, whether it was unpublished, deleted or never there", async () => {
    const [gone, deleted, kept] = [await published({ a: 5 }), await published({ a: 5 }), await published({ a: 5 })];
    await gone.run("unpublish");
    await cli.json("clan", "delete", deleted.clan.clanId, "--yes");
    // It has seen none of them, so nothing is cached.
    const at = await dashboard.startAnother();
    const { port } = new URL(at);
    const bytesOf = async (path: string): Promise<string> => {
      const socket = connect(Number(port), "127.0.0.1", () =>
        socket.write(`GET ${path} HTTP/1.1\r\nHost: example\r\nConnection: close\r\n\r\n`),
      );
      return (await textOf(socket)).replace(/^Date: .*$/m, "");
    };
    /** Of everything that pages show. */
    const SHOWN = new Set(["slugs", "clans", "members", "names", "boards", "periods", "standings"]);
    async function costOf(path: string): Promise<{ bytes: string; commands: string[] }> {
      let bytes = "";
      const all = await profiled(world, null, async () => void (bytes = await bytesOf(path)));
      const of = all.map(({ ns, op }): [string, string] => [ns.slice(ns.indexOf(".") + 1), op]);
      return { bytes, commands: of.filter(([collection]) => SHOWN.has(collection)).map((command) => command.join()) };
    }
    const costs = [await costOf(gone.path), await costOf(deleted.path), await costOf("/c/nobody-has-it")];
    expect(costs[0]?.bytes).toMatch(/^HTTP\/1\.1 404 /);
    expect(costs.map(({ commands }) => commands)).toStrictEqual([["slugs,query"], ["slugs,query"], ["slugs,query"]]);
    expect(new Set(costs.map(({ bytes }) => bytes)).size).toBe(1);
    // The profiler sees what a page costs that exists.
    expect((await costOf(kept.path)).commands.length).toBeGreaterThan(3);
  });
});
