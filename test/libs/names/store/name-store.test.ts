// Names of members in MongoDB: how they are found, and that an erasure leaves none behind.
import { describe, expect, test } from "vitest";
import { wordsOf } from "#domain/member-name.ts";
import { makeEraseNames } from "#names/store/erase-names.ts";
import { makeIndexNames } from "#names/store/index-names.ts";
import { makeNameStore } from "#names/store/name-store.ts";
import type { NamePosition, NameStore } from "#names/ports.ts";
import { profiled } from "../../../support/profiled.ts";
import { useWorld } from "../../../support/use-api.ts";

const world = await useWorld();
const names = makeNameStore(world.database);

const named = (all: Record<string, string>) => Object.entries(all).map(([platformId, name]) => ({ platformId, name }));

/** The platformIds of all pages, in their order. */
async function found(clanId: string, text: string, limit = 100): Promise<string[]> {
  const ids: string[] = [];
  for (let after: NamePosition | null = null, isFirst = true; isFirst || after; isFirst = false) {
    const page: Awaited<ReturnType<NameStore["find"]>> = await names.find(clanId, {
      words: wordsOf(text),
      after,
      limit,
    });
    ids.push(...page.items.map(({ platformId }) => platformId));
    after = page.next;
  }
  return ids;
}

describe("a search", () => {
  test.each<[string, string[]]>([
    ["build", ["a", "b"]],
    ["BUILDERMAN", ["a"]],
    ["uilder", []],
    ["nova", ["j"]],
    ["storm_n", ["j"]],
    ["stormn", ["j"]],
    ["NovaX", ["j"]],
    ["1826", ["k"]],
    ["fox18", ["k"]],
    ["26", []],
    ["a 7", ["j", "k"]],
    ["bob bu", ["b"]],
    ["bu bob", ["b"]],
    ["bu zo", []],
    ["zoe", ["c"]],
    ["ZOË", ["c"]],
    ["strasse", ["d"]],
    ["lukasz", ["d"]],
    ["محمد", ["e"]],
    ["مُحَ", ["e"]],
    ["🎉", ["c", "e"]],
    ["🎉 zo", ["c"]],
    ["❤", ["f"]],
    ["❤️", ["f"]],
    ["हि", ["g"]],
    ["हा", []],
    ["가", ["h"]],
    ["--", ["i"]],
    ["$*+?()", []],
    ["\u200b", []],
  ])("for %j finds words from their beginning, without regard to case and accents", async (text, ids) => {
    await names.set(
      "scripts",
      named({
        a: "Builderman",
        b: "bob_the_Builder",
        c: "Zo\u00eb 🎉",
        d: "\u0141ukasz Stra\u00dfe",
        e: "\u0645\u064f\u062d\u064e\u0645\u064e\u0651\u062f🎉",
        f: "\u2764\ufe0f",
        g: "हिन्दी",
        h: "각",
        i: "-- --",
        j: "StormNovaX-A7",
        k: "Fox1826.a_7",
      }),
    );
    expect((await found("scripts", text)).toSorted()).toStrictEqual(ids);
  });

  test("lists each name once over all pages, also one of several such words, and none of another clan", async () => {
    const all = Object.fromEntries(
      Array.from({ length: 60 }, (_, index) => [
        `p${index}`,
        `${index % 3 === 0 ? "star" : `st${index % 7}`} other ${index % 2 === 0 ? "stone \u{1d11e}sta" : "\uff5esta"}`,
      ]),
    );
    await names.set("pages", named(all));
    await names.set("others", named(all));
    for (const [text, limit] of [
      ["st", 7],
      ["st", 100],
      ["o sto", 4],
      ["sta", 1],
    ] as const) {
      const start = wordsOf(text);
      const expected = Object.entries(all)
        .filter(([, name]) => start.every((word) => wordsOf(name).some((own) => own.startsWith(word))))
        .map(([id]) => id);
      const ids = await found("pages", text, limit);
      expect(ids.toSorted()).toStrictEqual(expected.toSorted());
      expect(new Set(ids).size).toBe(ids.length);
    }
  });

  test("reads only the names that it finds from the index", async () => {
    await names.set("index", named(Object.fromEntries(Array.from({ length: 300 }, (_, n) => [`p${n}`, `w${n}`]))));
    const [call] = await profiled(world, "names", () =>
      names.find("index", { words: ["w299"], after: null, limit: 100 }),
    );
    expect(call).toMatchObject({ planSummary: expect.stringMatching(/^IXSCAN/), keysExamined: 1, docsExamined: 1 });
  });

  test("of several words reads the names with the rarest, which it finds in the index alone", async () => {
    const all = Array.from({ length: 600 }, (_, n) => [`p${n}`, `${n % 2 === 0 ? "Common" : "Other"} x${n}`]);
    await names.set("rarest", named(Object.fromEntries(all)));
    const calls = await profiled(world, "names", () =>
      names.find("rarest", { words: ["common", "x5"], after: null, limit: 100 }),
    );
    const read = calls.map(({ docsExamined }) => docsExamined);
    // x5, x50 to x59 and x500 to x599.
    expect(read.toSorted((a, b) => a - b)).toStrictEqual([...read.slice(1).map(() => 0), 111]);
  });
});

describe("an erasure", () => {
  test("leaves no name that is set before its end, however they meet, and no word of it", async () => {
    const erase = makeEraseNames(world.database);
    const member = { platformId: "gone" };
    for (let round = 0; round < 30; round += 1) {
      const set = (name: string | null) => names.set("erased", [{ ...member, name }]);
      if (round % 2 === 0) await set("Before");
      const sets = ["One", "Two", null, "Three"].map((name) => set(name));
      await erase.begin(member, ["erased", "elsewhere"]);
      expect(await names.read("erased", ["gone"])).toStrictEqual(new Map());
      expect(await found("erased", "b")).toStrictEqual([]);
      await Promise.all([...sets, set("During")]);
      await erase.end(member, ["erased", "elsewhere"]);
      expect(await world.database.db().collection("names").countDocuments({ platformId: "gone" })).toBe(0);
    }
    await names.set("erased", [{ ...member, name: "After" }]);
    expect(await names.read("erased", ["gone"])).toStrictEqual(new Map([["gone", "After"]]));
  });

  test("reports whether a name was stored, and may be repeated", async () => {
    const erase = makeEraseNames(world.database);
    const member = { platformId: "again" };
    await names.set("b", [{ ...member, name: "Again" }]);
    expect(await erase.begin(member, ["a"])).toBe(false);
    expect(await erase.begin(member, ["a", "b"])).toBe(true);
    for (let time = 0; time < 2; time += 1) await erase.end(member, ["a", "b"]);
    expect(await names.read("b", ["again"])).toStrictEqual(new Map());
  });
});

test("a name that an earlier version stored is found by all of its words once it is set again, or indexed", async () => {
  const stored = world.database.db().collection<{ _id: string }>("names");
  const docOf = (platformId: string, name: string, words: string[]) => {
    return { _id: `old/${platformId}`, clanId: "old", platformId, name, words };
  };
  await stored.insertMany([
    docOf("p", "\u0141ukasz", ["\u0142ukasz"]),
    docOf("q", "\u0141ukaszNova", ["\u0142ukasznova"]),
    docOf("erased", "Erased", ["erased"]),
    ...Array.from({ length: 1_200 }, (_, n) => docOf(`n${n}`, `Other${n}`, [`other${n}`])),
  ]);
  expect(await found("old", "lukasz")).toStrictEqual([]);
  await names.set("old", [{ platformId: "p", name: "\u0141ukasz" }]);
  expect(await found("old", "lukasz")).toStrictEqual(["p"]);
  await makeEraseNames(world.database).begin({ platformId: "erased" }, ["old"]);
  const indexNames = makeIndexNames(world.database);
  await indexNames(new AbortController().signal);
  expect(await found("old", "lukasz")).toStrictEqual(["p", "q"]);
  expect([await found("old", "nov"), await found("old", "1199"), await found("old", "erased")]).toStrictEqual([
    ["q"],
    ["n1199"],
    [],
  ]);
  const again = await profiled(world, "names", () => indexNames(new AbortController().signal));
  expect(again).toStrictEqual([]);
});

test("a name that is stored already is not written again, and one that many set at the same time is stored once", async () => {
  const write = (name: string) => names.set("same", [{ platformId: "p", name }]);
  await Promise.all(Array.from({ length: 10 }, (_, index) => write(`Name ${index}`)));
  const commands = await profiled(world, "names", async () => {
    for (const name of ["Last", "Last", "Last"]) await write(name);
  });
  expect(commands.filter(({ op }) => op === "update")).toHaveLength(1);
  expect(await names.read("same", ["p"])).toStrictEqual(new Map([["p", "Last"]]));
});
