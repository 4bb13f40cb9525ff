// Everything in MongoDB that an erasure processes. Each collection that can contain platform IDs or reasons has its
// part here.
import { makeForgetHours } from "#store/activity/counted-hours.ts";
import type { Database } from "#store/database.ts";
import { makeEraseStandings } from "#store/boards/standing-upkeep.ts";
import { eraseResponses } from "#store/destinations/erase-responses.ts";
import { makeEraseRoleSyncs } from "#store/destinations/role-sync-store.ts";
import { makeEraseChain } from "#store/erasure/erase-chain.ts";
import { makeErasureStore } from "#store/erasure/erasure-store.ts";
import { makeRedactBatches } from "#store/erasure/redact-batches.ts";
import { makeRedactReversals } from "#store/erasure/redact-reversals.ts";
import { makeEraseGains } from "#store/gains/gain-counts.ts";
import { makeEventChain } from "#store/events/event-chain.ts";
import { makeEventUpkeep } from "#store/events/event-upkeep.ts";
import { makeRecheckRequests } from "#store/hooks/recheck-requests.ts";
import { makeEraseNames } from "#store/names/erase-names.ts";
import type { ErasureParts } from "#usecases/erasure/ports.ts";

export function makeErasureParts(database: Pick<Database, "connection" | "db" | "interruptions">): ErasureParts {
  const [eraseStandings, eraseGains] = [makeEraseStandings(database), makeEraseGains(database)];
  const upkeep = makeEventUpkeep(database);
  return {
    erasures: makeErasureStore(database),
    chain: makeEraseChain(database),
    batches: makeRedactBatches(database),
    reversals: makeRedactReversals(database),
    events: {
      ...makeEventChain(database),
      ...upkeep,
      async deleteContent(member, positions) {
        // Before the content: an erasure that is interrupted in between finds the same events.
        await eraseResponses(
          database,
          member.clanId,
          positions.map(({ n }) => n),
        );
        await upkeep.deleteContent(member, positions);
      },
    },
    forgetHours: makeForgetHours(database),
    names: makeEraseNames(database),
    eraseRoleSyncs: makeEraseRoleSyncs(database),
    async eraseStandings(erasure) {
      await eraseStandings(erasure);
      await eraseGains(erasure);
    },
    recheckRequests: makeRecheckRequests(database),
  };
}
