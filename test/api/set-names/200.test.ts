import { describe, expect, test } from "vitest";
import { MEMBER_NAME_CHARS_MAX, memberNameOf } from "#domain/member-name.ts";
import { expectResponse, expectProblem } from "../../support/responses.ts";
import { makeNameStore } from "#names/store/name-store.ts";
import { testActor } from "../../support/actor.ts";
import { makeClanCaller } from "../../support/clan-caller.ts";
import { useApi } from "../../support/use-api.ts";

describe("POST …/names", async () => {
  const { world, port } = await useApi();

  test("stores names, which include=name adds to a member and to lists, before and after the first award", async () => {
    const clan = await makeClanCaller(world, port);
    const names = [
      { platformId: "1", name: "  Builderman " },
      { platformId: "2", name: "Zoe\u0301 🎉" },
    ];
    expect(expectResponse("set-names", await clan.post("/names", { names }))).toStrictEqual({ stored: 2 });
    for (const platformId of ["1", "2", "3"]) await clan.award(platformId, { amount: 10 });
    const named = async (path: string) => (await clan.get(path)).body;
    expect((await named("/members/1?include=name")).name).toBe("Builderman");
    expect(expectResponse("read-member", await clan.get("/members/3?include=name")).name).toBeNull();
    expect(await named("/members/1")).not.toHaveProperty("name");
    const { members } = await named("/members?sort=platformId&include=name");
    expect(members.map(({ name }: { name: string }) => name)).toStrictEqual(["Builderman", "Zo\u00e9 🎉", null]);
    expect((await named("/members?sort=platformId")).members[0]).not.toHaveProperty("name");
  });

  test("are in every form of the list, together with positions and in the order asked", async () => {
    const clan = await makeClanCaller(world, port);
    for (const [index, platformId] of ["a", "b", "c"].entries()) await clan.award(platformId, { amount: 30 - index });
    const names = ["a", "c"].map((platformId) => ({ platformId, name: `The ${platformId}` }));
    await clan.post("/names", { names });
    const named = async (query: string) => {
      const { members } = expectResponse("list-members", await clan.get(`/members?${query}`));
      return members.map(({ platformId, name, position }: any) => [platformId, name, position?.value]);
    };
    const [a, b, c] = [
      ["a", "The a", 1],
      ["b", null, 2],
      ["c", "The c", 3],
    ];
    for (const include of ["name,position", "position,name"]) {
      expect(await named(`include=${include}`)).toStrictEqual([a, b, c]);
      expect(await named(`around=b&limit=2&include=${include}`)).toStrictEqual([b, c]);
      expect(await named(`platformIds=c,none,a&include=${include}`)).toStrictEqual([c, a]);
    }
    expect(await named("limit=2&include=name")).toStrictEqual([
      ["a", "The a", undefined],
      ["b", null, undefined],
    ]);
    for (const query of ["around=a&include=title", "platformIds=a&include=name,,position", "include=Name", "include="])
      expectProblem(await clan.get(`/members?${query}`), 400, "invalid_request");
  });

  test("keeps the last name, deletes it with null, writes nothing for the same name, and is of one clan", async () => {
    const [clan, other] = [await makeClanCaller(world, port), await makeClanCaller(world, port)];
    await clan.award("1", { amount: 1 });
    const set = (name: string | null) => clan.post("/names", { names: [{ platformId: "1", name }] });
    const name = async (of = clan) => (await of.get("/members/1?include=name")).body.name;
    for (const each of ["First", "Second", "Second"]) expect((await set(each)).body).toStrictEqual({ stored: 1 });
    expect(await name()).toBe("Second");
    await other.award("1", { amount: 1 });
    expect(await name(other)).toBeNull();
    expect((await set(null)).body).toStrictEqual({ stored: 1 });
    expect(await name()).toBeNull();
    expect((await set(null)).status).toBe(200);
  });

  test("hides players on the public page, also without a name, and what is not given stays", async () => {
    const { clanId, ...clan } = await makeClanCaller(world, port);
    const stored = makeNameStore(world.database);
    const set = (...names: object[]) => clan.post("/names", { names });
    const read = async () => Object.fromEntries(await stored.readAll(clanId, ["1", "2"]));
    await set({ platformId: "1", hidden: true }, { platformId: "2", name: "Two", hidden: false });
    expect(await read()).toStrictEqual({ 1: { name: null, isHidden: true }, 2: { name: "Two", isHidden: false } });
    await set({ platformId: "1", name: "One" }, { platformId: "2", hidden: true });
    expect(await read()).toStrictEqual({ 1: { name: "One", isHidden: true }, 2: { name: "Two", isHidden: true } });
    await set({ platformId: "1", name: null }, { platformId: "2", hidden: false });
    expect(await read()).toStrictEqual({ 1: { name: null, isHidden: true }, 2: { name: "Two", isHidden: false } });
    await set({ platformId: "1", hidden: false }, { platformId: "2", name: null });
    expect(await read()).toStrictEqual({});
  });

  const named = (name: unknown, platformId = "1"): object => ({ platformId, name });
  const many = Array.from({ length: 101 }, (_, id) => named("n", `${id}`));
  const rejected: [string, unknown, string][] = [
    ["no list", undefined, "/names"],
    ["an empty list", [], "/names"],
    ["101 names", many, "/names"],
    ["an unknown field", [{ ...named("n"), xp: 1 }], "/names/0/xp"],
    ["a missing name", [named(undefined)], "/names/0/name"],
    ["a hidden that is a text", [{ platformId: "1", hidden: "true" }], "/names/0/hidden"],
    ["a name that is a number", [named(1)], "/names/0/name"],
    ["a blank name", [named(" \t ")], "/names/0/name"],
    ["a line break", [named("a\nb")], "/names/0/name"],
    ["65 characters", [named("😀".repeat(65))], "/names/0/name"],
    ["a right-to-left override", [named("a\u202eb")], "/names/0/name"],
    ["an isolate", [named("a\u2066b")], "/names/0/name"],
    ["a bad platformId", [named("n", "a b")], "/names/0/platformId"],
    ["a platformId twice", [named("n"), named("n", "2"), named("m")], "/names/2/platformId"],
  ];
  test("rejects each invalid list with a pointer, and stores nothing", async () => {
    const clan = await makeClanCaller(world, port);
    await clan.award("1", { amount: 1 });
    for (const [what, names, pointer] of rejected) {
      const { errors } = expectProblem(await clan.post("/names", { names }), 400, "invalid_request");
      expect([what, errors?.map((fault) => fault.pointer)]).toStrictEqual([what, expect.arrayContaining([pointer])]);
    }
    expect((await clan.get("/members/1?include=name")).body.name).toBeNull();
  });

  test("costs one request and as many awards as it has names", async () => {
    const clan = await makeClanCaller(world, port);
    const names = Array.from({ length: 40 }, (_, id) => ({ platformId: `${id}`, name: `n${id}` }));
    const remaining = (headers: Headers) => Number(/"awards";r=(\d+)/.exec(headers.get("ratelimit") ?? "")?.[1]);
    const before = remaining((await clan.post("/names", { names: names.slice(0, 1) })).headers);
    const after = remaining((await clan.post("/names", { names })).headers);
    // The bucket fills again meanwhile.
    expect(before - after).toBeLessThanOrEqual(40);
    const limited = await world.makeKey(clan.clanId, ["award"]);
    await world.keys.limit(limited.keyId, { awardsPerSecond: 5 }, testActor);
    expectProblem(await clan.with(limited.secret).post("/names", { names }), 429, "rate_limited");
  });

  test("allows names of at most 64 code points", () => {
    expect(memberNameOf("😀".repeat(MEMBER_NAME_CHARS_MAX))).toHaveLength(2 * MEMBER_NAME_CHARS_MAX);
  });
});
