// Random histories of deliveries that wait: a member's events are sent in order, one at a time, and none is forgotten.
// Those that are sent again are sent in their own order, and delay no others.
import { expect, test } from "vitest";
import { makeWaitingDeliveries, type Waiting } from "#delivery/waiting-deliveries.ts";
import { chanceOf } from "../../support/chance.ts";
import { seedOfRun } from "../../support/seed.ts";

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
  const left = new Set<Waiting>(
    Array.from({ length: EVENTS }, (_, index) => ({
      n: index + 1,
      tried: 0,
      wasSent: false,
      nextAt: null,
      again: chance.hits(0.3),
      alone: false,
      member: chance.pick(["a", "b", "c", null]),
    })),
  );
  list.add([...left]);
  const inFlight: Waiting[][] = [];
  const isSending = (isSo: (one: Waiting) => boolean): boolean => inFlight.flat().some(isSo);
  const isDue = (one: Waiting): boolean =>
    (one.nextAt?.getTime() ?? 0) <= nowMs && !isSending((other) => other === one);
  const isFirst = (one: Waiting): boolean =>
    one.member === null || [...left].find(({ member, again }) => member === one.member && !again) === one;
  /** The first one is to be sent next. */
  const dueAgain = (): Waiting[] =>
    isSending(({ again }) => again) ? [] : [...left].filter((one) => one.again && isDue(one));

  for (let step = 0; list.size() > 0; step += 1) {
    if (step > 10_000) return [...faults, "some are never sent"];
    const isLooking = chance.hits(0.5);
    const group = isLooking ? list.choose(new Date(nowMs), most) : [];
    const groupAgain = group.filter(({ again }) => again);
    const nextAgain = dueAgain();
    if (groupAgain.some((one, index) => one !== nextAgain[index])) faults.push("not the next to be sent again");
    if (isLooking && group.length === 0 && [...left].some((one) => !one.again && isDue(one) && isFirst(one)))
      faults.push("one is held up");
    if (isLooking && group.length === 0 && dueAgain().length > 0) faults.push("one that is sent again is held up");
    if (group.length > 0) {
      for (const { member, n, again } of group) {
        const isBusy = member !== null && isSending((other) => other.member === member && !other.again);
        const earlier = [...left].find((one) => one.member === member && !one.again && !group.includes(one));
        if (!again && (isBusy || (member !== null && earlier && earlier.n < n)))
          faults.push(`${n} of ${member} is not the next one`);
      }
      list.begin(group);
      inFlight.push(group);
    } else if (inFlight.length > 0) {
      const [done = []] = inFlight.splice(chance.int(0, inFlight.length - 1), 1);
      list.end(done);
      if (chance.hits(0.3)) for (const one of done) one.nextAt = new Date(nowMs + chance.int(1, 5));
      else {
        list.remove(done.map(({ n }) => n));
        for (const one of done) left.delete(one);
      }
    }
    nowMs += 1;
  }
  return faults;
}
