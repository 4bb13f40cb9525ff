// Locks that callers left behind would make the next ones wait.
import { expect, vi } from "vitest";
import { redisNamespace } from "#redis/namespace.ts";
import { openTestRedis, type World } from "../support/world.ts";

/** Past any answer that is still on its way. */
const GIVEN_BACK_MS = 50_000;

/** No member of the clan is locked, or not for longer than an answer is on its way. */
export async function expectNoLocks(
  { redisUrl, mongoUrl }: Pick<World, "redisUrl" | "mongoUrl">,
  clanId: string,
): Promise<void> {
  const redis = openTestRedis(redisUrl);
  await vi.waitFor(
    async () => {
      const keys = await redis.keys(`${redisNamespace(mongoUrl)}:lock:${clanId}/*`);
      // They are given back, not waited out: from here on none of them expires.
      await Promise.all(keys.map((key) => redis.persist(key)));
      const values = await Promise.all(keys.map((key) => redis.get(key)));
      // A member that is given back leaves its number, behind "#".
      expect(values.filter((value) => value !== null && !value.startsWith("#"))).toStrictEqual([]);
    },
    { timeout: GIVEN_BACK_MS },
  );
  redis.disconnect();
}
