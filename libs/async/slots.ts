// Slots for work: each owner has so many of them, and what finds none waits for its turn.

export type Slots = {
  /** Resolves in order; call what it returns at the end of the work. Throws what `full` returns if too many wait. */
  take(owner?: string): Promise<() => void>;
  run<Result>(work: () => Result | Promise<Result>, owner?: string): Promise<Result>;
};

export function makeSlots({
  max,
  waitingMax = Infinity,
  full = () => new Error("too many wait"),
}: {
  max: number;
  waitingMax?: number;
  full?: () => Error;
}): Slots {
  const owners = new Map<string, { running: number; waiting: (() => void)[] }>();

  async function take(owner = ""): Promise<() => void> {
    const slots = owners.get(owner) ?? { running: 0, waiting: [] };
    owners.set(owner, slots);
    if (slots.running < max) slots.running += 1;
    else if (slots.waiting.length >= waitingMax) throw full();
    else await new Promise<void>((resolve) => slots.waiting.push(resolve));
    return () => {
      const next = slots.waiting.shift();
      // The one that waited takes the slot over.
      if (next) return next();
      slots.running -= 1;
      if (slots.running === 0) owners.delete(owner);
    };
  }

  async function run<Result>(work: () => Result | Promise<Result>, owner?: string): Promise<Result> {
    const leave = await take(owner);
    try {
      return await work();
    } finally {
      leave();
    }
  }

  return { take, run };
}
