// The deliveries of one destination that wait, in the order of their events: which of them may be sent now.
//
// Invariant: of the events of one member, only the first one that has not ended is sent. Those that a person sends once
// more are outside of this order: of these, the first one that is due is sent, one request after the other.

/**
 * `tried`: attempts that count. `wasSent`: a request was made. `nextAt`: not before. `again`: sent once more by a person.
 * `member`: whose events keep their order; null: nobody's. `alone`: not in one request with others.
 */
export type Waiting = {
  n: number;
  tried: number;
  wasSent: boolean;
  nextAt: Date | null;
  again: boolean;
  member: string | null;
  alone: boolean;
};

export type WaitingDeliveries = ReturnType<typeof makeWaitingDeliveries>;

export function makeWaitingDeliveries() {
  const waiting = new Map<number, Waiting>();
  const inFlight = new Set<number>();

  const isSendingAgain = (): boolean => [...inFlight].some((n) => waiting.get(n)?.again === true);

  /** Those that nothing else holds back; the time that each waits for is not considered. */
  function* free(): Generator<Waiting> {
    const order = makeOrder(isSendingAgain());
    for (const one of waiting.values()) {
      const isHeld = order.isHeld(one);
      order.pass(one);
      if (!isHeld && !inFlight.has(one.n)) yield one;
    }
  }

  return {
    /** In the order of their numbers, which are higher than those before. */
    add(deliveries: readonly Waiting[]): void {
      for (const delivery of deliveries) waiting.set(delivery.n, delivery);
    },
    clear: () => waiting.clear(),
    size: () => waiting.size,
    untried: () => [...waiting.values()].filter(({ wasSent }) => !wasSent),

    /** At most `most` for one request that may be made now; empty if there are none. */
    choose(now: Date, most: number): Waiting[] {
      const chosen: Waiting[] = [];
      const order = makeOrder(isSendingAgain());
      for (const one of waiting.values()) {
        if (chosen.length === most) break;
        const { n, nextAt, alone } = one;
        const isFree = !order.isHeld(one) && (nextAt === null || nextAt <= now) && !inFlight.has(n);
        // The next event of the member may be in the same request, behind this one.
        if (isFree && !(alone && chosen.length > 0)) chosen.push(one);
        else order.pass(one);
        if (alone && chosen.length > 0) break;
      }
      return chosen;
    },

    /** For a probe, whatever time it waits for: the oldest one, or the next one that was not sent yet. */
    chooseProbe(which: "oldest" | "unsent"): Waiting[] {
      const candidates = [...free()];
      const unsent = which === "unsent" ? candidates.filter(({ wasSent }) => !wasSent) : [];
      return (unsent.length > 0 ? unsent : candidates).slice(0, 1);
    },

    begin(group: readonly Waiting[]): void {
      for (const { n } of group) inFlight.add(n);
    },
    end(group: readonly Waiting[]): void {
      for (const { n } of group) inFlight.delete(n);
    },
    /** They have ended. */
    remove(numbers: readonly number[]): void {
      for (const n of numbers) waiting.delete(n);
    },
    /** None waits for its time any more. */
    makeDue(): void {
      for (const one of waiting.values()) one.nextAt = null;
    },
    /** The earliest time that one waits for, which no other one holds back; null: none waits. */
    nextAt(): Date | null {
      const times = [...free()].flatMap(({ nextAt }) => (nextAt ? [nextAt.getTime()] : []));
      return times.length === 0 ? null : new Date(Math.min(...times));
    },
  };
}

/** What holds deliveries back that are looked at one after the other. `pass`: later ones of the member wait for it. */
function makeOrder(isSendingAgain: boolean) {
  const members = new Set<string>();
  return {
    isHeld: ({ member, again }: Waiting): boolean => (again ? isSendingAgain : member !== null && members.has(member)),
    pass({ member, again }: Waiting): void {
      if (member !== null && !again) members.add(member);
    },
  };
}
