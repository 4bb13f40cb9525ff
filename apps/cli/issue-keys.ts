// The key use cases as the CLI runs them.
import { systemClock } from "#runtime/process/clock.ts";
import { crc32, digest, randomText } from "#runtime/process/secrets.ts";
import { makeClanStore } from "#store/clans/clan-store.ts";
import type { Database } from "#store/database.ts";
import { makeKeyStore } from "#store/keys/key-store.ts";
import { makeCreateKey } from "#usecases/keys/create-key.ts";
import { makeRotateKey } from "#usecases/keys/rotate-key.ts";

export function makeIssueKeys(database: Database) {
  const clans = makeClanStore(database);
  const world = { clans, keys: makeKeyStore(database), clock: systemClock, digest, crc32, randomText };
  return { clans, createKey: makeCreateKey(world), rotateKey: makeRotateKey(world) };
}
