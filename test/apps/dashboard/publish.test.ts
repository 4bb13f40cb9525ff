// Publishing a clan's page: its address, its settings, and who may change them.
import { describe, expect, test } from "vitest";
import type { SlugDoc } from "#public-pages/store/slug-model.ts";
import { makeClanCaller } from "../../support/clan-caller.ts";
import { makeVisitor } from "./dashboard-world.ts";
import { usePublicPages } from "./use-public-pages.ts";

const { dashboard, port, world, cli, look, published } = await usePublicPages();

describe("publishing", () => {
  test("gives a page a free address, which no other clan gets after it was given up", async () => {
    const name = `Night Öwls ${world.config.mongoUrl.length}`;
    const first = await published({});
    await cli.json("clan", "set", first.clan.clanId, "--name", name);
    const second = await makeClanCaller(world, port);
    await cli.json("clan", "set", second.clanId, "--name", name);
    const run = (...args: string[]) => cli.json("clan", "publish", ...args);
    const slugOf = async (...args: string[]) => (await run(...args)).answer.slug;
    const publishedAt = first.page.publishedAt;
    const own = await slugOf(second.clanId);
    expect(own).toMatch(/^night-owls-\d+$/);
    await first.run("unpublish");
    expect((await cli.json("clan", "show", first.clan.clanId)).answer.publicPage).toBeNull();
    const again = await run(second.clanId, "--slug", first.page.slug);
    expect([again.exitCode, again.answer.error.code]).toStrictEqual([1, "slug_taken"]);
    const back = (await run(first.clan.clanId, "--index", "on")).answer;
    expect(back).toStrictEqual({ ...first.page, index: true, publishedAt });
    for (const slug of ["one-1", "two-2", "three-3", "four-4"].map((end) => `${own}-${end}`))
      expect(await slugOf(second.clanId, "--slug", slug)).toBe(slug);
    const kept = await world.database
      .db()
      .collection<SlugDoc>("slugs")
      .find({ clanId: second.clanId, keptUntil: { $ne: null } })
      .toArray();
    expect(kept.map(({ _id }) => _id).toSorted()).toStrictEqual(
      ["one-1", "three-3", "two-2"].map((end) => `${own}-${end}`),
    );
    const days = (kept[0]?.keptUntil?.getTime() ?? 0) - Date.now();
    expect(Math.round(days / 86_400_000)).toBe(30);
    expect(await slugOf(first.clan.clanId, "--slug", own)).toBe(own);
    expect((await run(second.clanId, "--slug", own)).exitCode).toBe(1);
    const deleted = await cli.json("clan", "delete", first.clan.clanId, "--yes");
    expect(deleted.exitCode).toBe(0);
    expect((await run(second.clanId, "--slug", own)).exitCode).toBe(1);
  });

  test("rejects what is not valid and changes nothing, and is in the audit log", async () => {
    const { clan, run, page } = await published({});
    const invalid = [
      ["--slug", "No"],
      ["--slug", "a--b"],
      ["--slug", "x".repeat(41)],
      ["--names", "yes"],
      ["--boards", "Bad Id"],
      ["--index", "maybe"],
      ["--frames", "https://*.example.com"],
      ["--frames", "http://example.com"],
      ["--frames", "https://example.com/path"],
      ["--frames", "https://a;b"],
      ["--frames", Array.from({ length: 11 }, (_, n) => `https://a${n}.example`).join(",")],
    ];
    for (const options of invalid) expect([options, (await run("publish", ...options)).exitCode]).toEqual([options, 2]);
    const missing = await run("publish", "--boards", "weekly");
    expect([missing.exitCode, missing.answer.error.code]).toStrictEqual([1, "board_not_found"]);
    expect((await cli.json("clan", "publish", "nobody")).exitCode).toBe(1);
    expect((await cli.json("member", "hide", "nobody", "a")).exitCode).toBe(1);
    expect((await cli.json("clan", "show", clan.clanId)).answer.publicPage).toStrictEqual(page);
    await run("publish", "--names", "on");
    await cli.json("member", "hide", clan.clanId, "a");
    await run("unpublish");
    const { records } = (await cli.json("audit", "list", "--clan", clan.clanId)).answer;
    expect(records.slice(0, 4).map(({ action, target }: any) => [action, target])).toStrictEqual(
      ["page.unpublish", "page.hide", "page.set", "page.publish"].map((action) => [action, clan.clanId]),
    );
  });

  test("is for owners, who see a preview before, and the hidden members", async () => {
    const { clanId, api, person: owner } = await dashboard.newClan("Olga");
    const viewer = await dashboard.signedIn("victor", "viewer", clanId);
    const path = `${api}/public-page`;
    expect((await owner.get(path)).body).toStrictEqual({
      page: null,
      settings: { names: false, boards: "all", index: false, frames: "none" },
      isServed: true,
    });
    const preview = await owner.get(`${path}/preview`);
    expect(preview.body).toContain("No members yet");
    expect(preview.headers.get("content-security-policy")).toContain("frame-ancestors 'self'");
    const change = (body: object, by = owner) => by.send("PUT", path, body);
    expect((await change({ publish: false, names: true })).body).toMatchObject({
      page: null,
      settings: { names: true },
    });
    for (const body of [{ publish: true, slug: "A" }, { publish: true, frames: ["http://a.example"] }, { names: true }])
      expect((await change(body)).status).toBe(400);
    expect((await change({ publish: true, boards: ["none"] })).status).toBe(409);
    const { page } = (await change({ publish: true })).body;
    expect((await look(new URL(page.url).pathname)).status).toBe(200);
    await owner.send("PUT", `${path}/hidden/later`, { hidden: true });
    const players = async () => (await owner.get(`${path}/hidden`)).body;
    expect(await players()).toStrictEqual({
      players: [{ platformId: "later", name: null, hiddenBy: ["owner"] }],
      nextCursor: null,
    });
    await owner.send("PUT", `${path}/hidden/later`, { hidden: false });
    expect((await players()).players).toStrictEqual([]);
    for (const each of [path, `${path}/preview`, `${path}/hidden`]) expect((await viewer.get(each)).status).toBe(403);
    expect((await change({ publish: true }, viewer)).status).toBe(403);
    expect((await makeVisitor(dashboard.url).get(`${path}/preview`)).status).toBe(401);
    expect((await owner.send("DELETE", path)).body.page).toBeNull();
  });
});
