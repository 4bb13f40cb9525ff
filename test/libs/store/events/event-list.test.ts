// A clan's events as people read them, in MongoDB: in pages, of which none looks at too many.
import { afterAll, beforeAll, expect, test } from "vitest";
import { eventTypes } from "#domain/event.ts";
import { makeEventList } from "#store/events/event-list.ts";
import { makeWorld, type World } from "../../../support/world.ts";

let world: World;
beforeAll(async () => {
  world = await makeWorld();
});
afterAll(() => world.close());

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
