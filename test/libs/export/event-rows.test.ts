// The export of events from MongoDB: each stored event once, also while the oldest ones are deleted by age.
import { expect, test } from "vitest";
import { eventTypes } from "#domain/event.ts";
import { eventPages } from "#export/event-rows.ts";
import { makeEventFeed } from "#events/store/event-feed.ts";
import { useWorld } from "../../support/use-api.ts";

const world = await useWorld();

test("an export continues with the oldest stored event if what it read last is deleted meanwhile", async () => {
  const clanId = "exported";
  const stored = world.database.db().collection<any>("events");
  await stored.insertMany(
    Array.from({ length: 1_200 }, (_, index) => ({
      _id: { clanId, n: index + 1 },
      eventId: `evt_${index + 1}`,
      at: new Date(index),
      type: "batch.done",
      subject: `batch/${index + 1}`,
      seq: 0,
      data: { batchId: "b", applied: 1, rejected: 0, createdAt: new Date(0), finishedAt: new Date(0) },
    })),
  );
  const ids: string[] = [];
  for await (const page of eventPages(makeEventFeed(world.database), clanId, { types: eventTypes, since: null })) {
    // All that it has read, and more.
    if (ids.length === 0) await stored.deleteMany({ "_id.clanId": clanId, "_id.n": { $lte: 700 } });
    ids.push(...page.map(({ id }) => id));
  }
  const numbers = [
    ...Array.from({ length: 500 }, (_, index) => index + 1),
    ...Array.from({ length: 500 }, (_, index) => index + 701),
  ];
  expect(ids).toStrictEqual(numbers.map((n) => `evt_${n}`));
});
