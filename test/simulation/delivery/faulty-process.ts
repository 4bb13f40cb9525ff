// A process of a history: it is late, frozen or killed at any step, and loses calls of its stores and their responses.
import { AppError } from "#kernel/app-error.ts";
import type { Chance } from "../../support/chance.ts";
import type { CallStore } from "./fake-notifier.ts";

/** A change by a person acts within a second; what was read before it may still be sent. */
const CHANGE_ACTS_MS = 2_500;
/** Another process may hold a destination by then. */
const LATE_MS = 3_000;

export type FaultyProcess = {
  call: CallStore;
  /** Up to when it knows what people have changed. */
  knowsMs(): number;
  /** Never resolves once it was killed. */
  alive(): Promise<void>;
  kill(): void;
};

export const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** `late`: carries a call out that its process may have given up. */
export function makeFaultyProcess(
  world: { chance: Chance; isOver: () => boolean; restores: number },
  late: <T>(operation: () => Promise<T>) => Promise<T>,
): FaultyProcess {
  const { chance, isOver } = world;
  const forever = new Promise<never>(() => {});
  let isAlive = true;
  let frozen = { sinceMs: 0, untilMs: 0 };
  const alive = async (): Promise<void> => (isAlive ? undefined : await forever);

  async function wait(): Promise<void> {
    const frozenMs = frozen.untilMs - Date.now();
    if (frozenMs > 0) await pause(frozenMs);
    else if (!isOver() && chance.hits(0.05)) await pause(chance.int(1, 400));
    if (!isAlive) await forever;
  }
  const fails = (): boolean => !isOver() && chance.hits(0.02);
  return {
    async call(operation) {
      const askedMs = Date.now();
      await wait();
      if (!isOver() && chance.hits(0.002))
        frozen = { sinceMs: Date.now(), untilMs: Date.now() + chance.int(3_000, 24_000) };
      if (fails()) throw unavailable();
      // Carried out later, although the process has given it up.
      if (!isOver() && chance.hits(0.003)) {
        const { restores } = world;
        setTimeout(() => restores === world.restores && void late(operation).catch(() => {}), chance.int(1, 3_000));
        throw unavailable();
      }
      const result = await (Date.now() - askedMs > LATE_MS ? late(operation) : operation());
      await wait();
      if (fails()) throw unavailable();
      return result;
    },
    knowsMs: () => (Date.now() - frozen.untilMs < CHANGE_ACTS_MS ? frozen.sinceMs : Date.now()) - CHANGE_ACTS_MS,
    alive,
    kill: () => void (isAlive = false),
  };
}

function unavailable(): AppError {
  return new AppError("unavailable", "made up", { cause: "made up" });
}
