// One process's way to what corrections need of the store: a call may fail, succeed although it failed, or be executed
// late.
import { AppError } from "#kernel/app-error.ts";
import type { Chance } from "../support/chance.ts";
import type { FaultRates } from "./faulty-store.ts";

type Port = Readonly<Record<string, (...args: never[]) => Promise<unknown>>>;

/**
 * The same functions with faults. `isAlive`: calls of a killed process fail immediately; what it sent may still be
 * executed.
 */
export function makeFaultyCalls(world: {
  faultRates: () => FaultRates;
  chance: Chance;
  isAlive: () => boolean;
}): <P extends Port>(port: P) => P {
  const { faultRates, chance, isAlive } = world;
  const failure = (): AppError => new AppError("unavailable", "made up");

  async function pause(): Promise<void> {
    await new Promise((resolve) => setTimeout(resolve, chance.next() * faultRates().delayMs));
    if (!isAlive()) throw failure();
  }

  async function call(operation: () => Promise<unknown>): Promise<unknown> {
    await pause();
    const { readFails, zombie, lateMsMax, unknownApplied } = faultRates();
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
    const faulty = Object.entries(port).map(([name, operation]) => [
      name,
      (...args: never[]) => call(() => operation(...args)),
    ]);
    return Object.fromEntries(faulty) as P;
  };
}
