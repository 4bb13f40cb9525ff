// What deliveries must be, from what a receiver saw alone: every event arrives or has failed, those of a member in
// order, and twice only where a result could not be recorded.
import type { ClanEvent } from "#domain/event.ts";
import { memberOf } from "#delivery/wanted-events.ts";
import type { TestDestinations } from "./destinations.ts";
import type { AnswerTo, Received } from "./receiver.ts";

/** Requests of a destination at a time: so many results may a process not have recorded that ends at any moment. */
export const IN_FLIGHT_MAX = 8;

type Seen = { eventId: string; member: string; n: number; ok: boolean };

export type Witness = {
  /** Answers as `answer` does, and records what was accepted. */
  watch(answer: AnswerTo): AnswerTo;
  /** `lostMax`: how many results may not have been recorded. */
  disagreements(
    destinations: TestDestinations,
    destinationId: string,
    events: readonly ClanEvent[],
    options: { lostMax: number },
  ): Promise<string[]>;
};

export function makeWitness(): Witness {
  const seen: Seen[] = [];
  const idOf = ({ headers }: Received): string => String(headers["webhook-id"]);

  return {
    watch: (answer) => async (request, index) => {
      const { data } = JSON.parse(request.body) as { data: { platformId: string; seq: number } };
      const one = { eventId: idOf(request), member: data.platformId, n: data.seq, ok: false };
      seen.push(one);
      const answered = await answer(request, index);
      // A body that does not end after a good status may count either way.
      one.ok =
        typeof answered === "object" ? answered.status >= 200 && answered.status < 300 : answered.endsWith("body");
      return answered;
    },

    async disagreements({ log }, destinationId, events, { lostMax }) {
      const { items } = await log.page(destinationId, { states: null, before: null, limit: 100_000 });
      const states = new Map(items.map(({ eventId, state }) => [eventId, state]));
      const accepted = new Map<string, number>();
      for (const { eventId, ok } of seen) if (ok) accepted.set(eventId, (accepted.get(eventId) ?? 0) + 1);
      const repeats = [...accepted.values()].reduce((sum, times) => sum + times - 1, 0);
      return [
        ...events.flatMap(({ eventId, n }) => {
          const state = states.get(eventId);
          if (state === "delivered") return accepted.has(eventId) ? [] : [`event ${n} was not accepted`];
          return state === "failed" ? [] : [`event ${n} is ${state ?? "not listed"}`];
        }),
        ...(repeats > lostMax ? [`${repeats} events were accepted more than once`] : []),
        ...[...new Set(events.map(memberOf))].flatMap((member) =>
          disorderOf(seen.filter((one) => one.member === member)),
        ),
      ];
    },
  };
}

/** A member's events, each as often as it was sent: no event after a later one of them, unless it was sent before. */
function disorderOf(ofMember: readonly Seen[]): string[] {
  const faults: string[] = [];
  const begun = new Set<string>();
  let highest = 0;
  for (const { eventId, member, n } of ofMember) {
    if (n < highest && !begun.has(eventId)) faults.push(`event ${n} of ${member} came after event ${highest}`);
    begun.add(eventId);
    highest = Math.max(highest, n);
  }
  return faults;
}
