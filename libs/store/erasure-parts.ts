// Everything of MongoDB that an erasure works on. A collection that may hold platform IDs or reasons has its step here.
import type { Database } from "#store/database.ts";
import { makeEraseChain } from "#store/erase-chain.ts";
import { makeEraseReversals } from "#store/erase-reversals.ts";
import { makeErasureStore } from "#store/erasure-store.ts";
import { makeRedactBatches } from "#store/redact-batches.ts";
import type { ErasureParts } from "#usecases/erasure/ports.ts";

export function makeErasureParts(database: Pick<Database, "connection" | "db" | "models">): ErasureParts {
  return {
    erasures: makeErasureStore(database),
    chain: makeEraseChain(database),
    batches: makeRedactBatches(database),
    steps: [makeEraseReversals(database)],
  };
}
