// One process's way to what corrections need of the store: a call may fail, succeed although it failed, or be executed
// late.
import { AppError } from "#domain/app-error.ts";
import type { Chance } from "../support/chance.ts";
import type { Trouble } from "./troubled-store.ts";

type Port = Readonly<Record<string, (...args: never[]) => Promise<unknown>>>;

/**
 * The same functions with faults. `isAlive`: calls of a killed process fail immediately; what it sent may still be
 * executed.
 */
export function makeTroubledCalls(world: {
  trouble: () => Trouble;
  chance: Chance;
  isAlive: () => boolean;
}): <P extends Port>(port: P) => P {
  const { trouble, chance, isAlive } = world;
  const failure = (): AppError => new AppError("unavailable", "made up");

  async function pause(): Promise<void> {
    await new Promise((resolve) => setTimeout(resolve, chance.next() * trouble().delayMs));
    if (!isAlive()) throw failure();
  }

  async function call(operation: () => Promise<unknown>): Promise<unknown> {
    await pause();
    const { readFails, zombie, lateMsMax, unknownApplied } = trouble();
    if (chance.hits(readFails)) throw failure();
    if (chance.hits(zombie)) {
      setTimeout(() => void operation().catch(() => {}), chance.int(1, lateMsMax));
      throw failure();
    }
    const result = await operation();
    await pause();
    if (chance.hits(unknownApplied)) throw failure();
    return result;
  }

  return function through<P extends Port>(port: P): P {
    const troubled = Object.entries(port).map(([name, operation]) => [
      name,
      (...args: never[]) => call(() => operation(...args)),
    ]);
    return Object.fromEntries(troubled) as P;
  };
}
