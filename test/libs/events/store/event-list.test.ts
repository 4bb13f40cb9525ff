// A clan's events as people read them, in MongoDB: in pages, of which none looks at too many.
import { expect, test } from "vitest";
import { eventTypes, type EventType } from "#domain/event.ts";
import { makeEventList } from "#events/store/event-list.ts";
import { profiled } from "../../../support/profiled.ts";
import { useWorld } from "../../../support/use-api.ts";

const world = await useWorld();

test("a rare type is looked for in a bounded part of the list: a page can be empty, and its cursor continues", async () => {
  const list = makeEventList(world.database);
  const stored = world.database.db().collection<any>("events");
  const [clanId, at] = ["rare", new Date()];
  const content = { type: "batch.done", subject: "batch/b", seq: 0, data: { batchId: "b" } };
  await stored.insertMany(
    Array.from({ length: 25 }, (_, index) => ({
      _id: { clanId, n: index + 1 },
      eventId: `${index}`,
      at,
      ...(index === 0 ? content : {}),
    })),
  );
  const page = (before: number | null, prefix: string | null = null) =>
    list.page(clanId, {
      types: eventTypes,
      search: prefix === null ? null : { prefix, platformIds: [] },
      before,
      limit: 5,
      examined: 10,
    });
  expect(await page(null)).toEqual({ items: [], next: 16 });
  expect(await page(16)).toEqual({ items: [], next: 6 });
  expect(await page(6)).toMatchObject({ items: [{ n: 1, type: "batch.done" }], next: null });
  // A member's events have an index.
  expect(await page(null, "b")).toEqual({ items: [], next: null });
  await stored.deleteMany({ "_id.clanId": clanId, "_id.n": { $lt: 20 } });
  expect(await page(null)).toEqual({ items: [], next: null });
});

test("a search looks at a bounded part of the list, too, unless the members have few events", async () => {
  const list = makeEventList(world.database);
  const stored = world.database.db().collection<any>("events");
  const [clanId, at] = ["searched", new Date()];
  const of = (n: number) => (n === 3 ? "rare" : `many${n % 7}`);
  await stored.insertMany(
    Array.from({ length: 400 }, (_, index) => ({
      _id: { clanId, n: index + 1 },
      eventId: `${index}`,
      at,
      type: "award.applied",
      subject: `member/${of(index + 1)}`,
      seq: index,
      data: { platformId: of(index + 1) },
    })),
  );
  async function page(prefix: string, before: number | null, types: readonly EventType[] = ["award.applied"]) {
    const found = { ns: [] as number[], next: null as number | null };
    const commands = await profiled(world, "events", async () => {
      const search = { prefix, platformIds: [] };
      const { items, next } = await list.page(clanId, { types, search, before, limit: 5, examined: 50 });
      Object.assign(found, { ns: items.map(({ n }) => n), next });
    });
    for (const { keysExamined = 0, docsExamined = 0 } of commands) {
      expect(keysExamined).toBeLessThanOrEqual(55);
      expect(docsExamined).toBeLessThanOrEqual(52);
    }
    return found;
  }
  expect(await page("ra", null)).toStrictEqual({ ns: [3], next: null });
  expect(await page("none", null)).toStrictEqual({ ns: [], next: null });
  expect(await page("many", null)).toStrictEqual({ ns: [400, 399, 398, 397, 396], next: 396 });
  expect(await page("many", null, ["member.left"])).toStrictEqual({ ns: [], next: 351 });
  expect(await page("many", 351, ["member.left"])).toStrictEqual({ ns: [], next: 301 });
  expect(await page("many", 51, ["member.left"])).toStrictEqual({ ns: [], next: null });
});
