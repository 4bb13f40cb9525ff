// What a clan's events must be, from its entries alone: each change once, each member's in order, numbers without gaps.
import { eventsOfEntry } from "#domain/events-of-entry.ts";
import { headAfter, NEW_HEAD, type Head } from "#domain/head.ts";
import type { Entry } from "#domain/entry.ts";
import { systemClock } from "#process/clock.ts";
import { makeIds } from "#process/ids.ts";
import type { Database } from "#mongo/database.ts";
import { makeEventChain } from "#events/store/event-chain.ts";
import type { EventDoc } from "#events/store/event-model.ts";
import { makeUnnumberedChanges } from "#events/store/unnumbered-changes.ts";
import { makeNameStore } from "#names/store/name-store.ts";
import { makeNumberEvents } from "#events/number-events.ts";
import { memberSubject, nameOfEvent } from "#domain/change-ref.ts";
import { silentLog as log } from "./silent-log.ts";
import { until } from "./until.ts";

type Opened = Pick<Database, "db" | "interruptions">;

/** Numbers what is left, as a worker does, and compares. */
export async function eventDisagreements(
  database: Opened,
  clanId: string,
  entries: readonly Entry[],
): Promise<string[]> {
  await numberRest(database);
  const docs = await database
    .db()
    .collection<EventDoc>("events")
    .find({ "_id.clanId": clanId })
    .sort({ _id: 1 })
    .toArray();
  const ofMembers = docs.filter(({ subject }) => subject?.startsWith(memberSubject("")));
  const present = ofMembers.map(({ subject = "", seq = 0, at, type = "" }) => nameOfEvent({ subject, seq, at }, type));
  return [
    ...docs.flatMap(({ _id: { n } }, index) => (n === index + 1 ? [] : [`event ${n} is at place ${index + 1}`])),
    ...differencesOf(present, dueOf(entries)),
    ...disorderOf(ofMembers),
  ];
}

async function numberRest(database: Opened): Promise<void> {
  const changes = makeUnnumberedChanges(database);
  const worker = makeNumberEvents({
    changes,
    chain: makeEventChain(database),
    clans: { read: async () => new Map() },
    names: makeNameStore(database),
    ids: makeIds(systemClock),
    numbered: () => {},
    clock: systemClock,
    log,
  });
  await until(async () => {
    await worker.run(new AbortController().signal);
    return (await changes.clans(null, 1)).length === 0;
  });
}

/** The names of the events that these entries have. Those of version 0.1.0 and of imports have none. */
function dueOf(entries: readonly Entry[]): string[] {
  const heads = new Map<string, Head | null>();
  return entries
    .toSorted((a, b) => a.seq - b.seq)
    .flatMap((entry) => {
      const subject = memberSubject(entry.platformId);
      const before = heads.get(subject) ?? NEW_HEAD;
      const head = headAfter(entry);
      heads.set(subject, head);
      if (head === null || entry.key.startsWith("imp/")) return [];
      const events = eventsOfEntry(entry, "changes", { before, ranks: [] });
      return events.map(({ type }) => nameOfEvent({ subject, seq: entry.seq, at: entry.at }, type));
    });
}

function differencesOf(present: readonly string[], due: readonly string[]): string[] {
  const counts = new Map<string, number>();
  for (const name of present) counts.set(name, (counts.get(name) ?? 0) + 1);
  for (const name of due) counts.set(name, (counts.get(name) ?? 0) - 1);
  return [...counts].flatMap(([name, more]) =>
    more === 0 ? [] : [`${name} has ${Math.abs(more)} ${more > 0 ? "too many events" : "events too few"}`],
  );
}

function disorderOf(docs: readonly EventDoc[]): string[] {
  const last = new Map<string, number>();
  return docs.flatMap(({ subject = "", seq = 0 }) => {
    const before = last.get(subject) ?? 0;
    last.set(subject, seq);
    return seq < before ? [`the events of ${subject} go from ${before} to ${seq}`] : [];
  });
}
