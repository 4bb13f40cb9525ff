// The set-up of most test files: a separate world, most often with an API in this process and a clan that calls it,
// closed when the file ends.
import { afterAll } from "vitest";
import { withTimeout } from "#async/with-timeout.ts";
import type { Clan } from "#domain/clan.ts";
import { makeClanCaller, type ClanCaller } from "./clan-caller.ts";
import { makeWorld, type World } from "./world.ts";

/** Vitest does not bound what a file does while its tests are collected. */
const OPEN_MS_MAX = 60_000;

export type ApiSuite = { world: World; port: number; opsPort: number; clan: ClanCaller };

/** Call it, as the next one, where a file or a `describe` begins. */
export async function useWorld(): Promise<World> {
  const world = await withTimeout(makeWorld(), OPEN_MS_MAX, "The servers have not answered");
  afterAll(() => world.close());
  return world;
}

/** `worker`: one runs too; `clan`: what is not as usual about it. */
export async function useApi(options: { worker?: boolean; clan?: Partial<Clan> } = {}): Promise<ApiSuite> {
  return withTimeout(open(options), OPEN_MS_MAX, "The servers have not answered");
}

async function open({ worker = false, clan = {} }: { worker?: boolean; clan?: Partial<Clan> }): Promise<ApiSuite> {
  const world = await useWorld();
  const [{ port, opsPort }] = await Promise.all([world.startApi(), worker ? world.startWorker() : null]);
  return { world, port, opsPort, clan: await makeClanCaller(world, port, clan) };
}
