// Random histories of deliveries that wait: a member's events are sent in order, one at a time, and none is forgotten.
import { expect, test } from "vitest";
import { makeWaitingDeliveries, type Waiting } from "#usecases/destinations/waiting-deliveries.ts";
import { chanceOf } from "../../../support/chance.ts";
import { seedOfRun } from "../../../support/seed.ts";

const HISTORIES = 200;
const EVENTS = 60;

test(`keep the order of each member in ${HISTORIES} histories`, () => {
  for (let seed = seedOfRun(); seed < seedOfRun() + HISTORIES; seed += 1)
    expect([seed, ...run(seed)]).toStrictEqual([seed]);
});

/** What is wrong with a history in which requests end in any order, and fail at random. */
function run(seed: number): string[] {
  const chance = chanceOf(seed);
  const list = makeWaitingDeliveries();
  const most = chance.pick([1, 10]);
  const faults: string[] = [];
  let nowMs = 0;
  list.add(
    Array.from({ length: EVENTS }, (_, index) => ({
      n: index + 1,
      tried: 0,
      wasSent: false,
      nextAt: null,
      again: false,
      alone: false,
      member: chance.pick(["a", "b", "c", null]),
    })),
  );
  const ended = new Map<string, number>();
  const inFlight: Waiting[][] = [];
  for (let step = 0; list.size() > 0; step += 1) {
    if (step > 10_000) return [...faults, "some are never sent"];
    const group = chance.hits(0.5) ? list.choose(new Date(nowMs), most) : [];
    if (group.length > 0) {
      for (const { member, n } of group) {
        const isBusy = member !== null && inFlight.flat().some((other) => other.member === member);
        if (isBusy || n < (ended.get(member ?? "") ?? 0)) faults.push(`${n} of ${member} is not the next one`);
      }
      list.begin(group);
      inFlight.push(group);
    } else if (inFlight.length > 0) {
      const [done = []] = inFlight.splice(chance.int(0, inFlight.length - 1), 1);
      list.end(done);
      if (chance.hits(0.3)) for (const one of done) one.nextAt = new Date(nowMs + chance.int(1, 5));
      else {
        list.remove(done.map(({ n }) => n));
        for (const { member, n } of done) if (member !== null) ended.set(member, n);
      }
    }
    nowMs += 1;
  }
  return faults;
}
