// One worker of an installation scans for batches without a job: the one whose id this key contains. The claim only
// saves work, because two scans at the same time do no harm. A worker that crashes leaves it to expire.
import type { Redis } from "ioredis";
import { SCANNER_CLAIM_MS } from "#redis/bounds.ts";

export type ScannerClaim = {
  /** Takes the claim, or renews it. False: another worker holds it. Throws what Redis throws. */
  take(): Promise<boolean>;
  /** Lets another worker take it. Throws what Redis throws. */
  release(): Promise<void>;
};

/** KEYS: the claim. ARGV: the worker's id, the time to live in ms. */
const TAKE = `
if (redis.call('GET', KEYS[1]) or ARGV[1]) ~= ARGV[1] then return 0 end
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
return 1`;
const RELEASE = `
if redis.call('GET', KEYS[1]) == ARGV[1] then redis.call('DEL', KEYS[1]) end`;

/** `redis` must fail fast. `workerId`: unique to this process. */
export function makeScannerClaim(deps: { redis: Redis; namespace: string; workerId: string }): ScannerClaim {
  const { redis, workerId } = deps;
  const name = `${deps.namespace}:scanner`;
  return {
    take: async () => (await redis.eval(TAKE, 1, name, workerId, SCANNER_CLAIM_MS)) === 1,
    async release() {
      await redis.eval(RELEASE, 1, name, workerId);
    },
  };
}
