// Everything in MongoDB that an erasure processes. Each collection that can contain platform IDs or reasons has its
// part here.
import { makeForgetHours } from "#activity/store/counted-hours.ts";
import type { Database } from "#mongo/database.ts";
import { makeEraseStandings } from "#boards/store/standing-upkeep.ts";
import { eraseResponses } from "#delivery/store/erase-responses.ts";
import { makeEraseRoleSyncs } from "#delivery/store/role-sync-store.ts";
import { makeEraseChain } from "#erasure/store/erase-chain.ts";
import { makeErasureStore } from "#erasure/store/erasure-store.ts";
import { makeRedactBatches } from "#erasure/store/redact-batches.ts";
import { makeRedactReversals } from "#erasure/store/redact-reversals.ts";
import { makeEraseGains } from "#gains/store/gain-counts.ts";
import { makeEventChain } from "#events/store/event-chain.ts";
import { makeEventUpkeep } from "#events/store/event-upkeep.ts";
import { makeRecheckRequests } from "#hooks/store/recheck-requests.ts";
import { makeEraseNames } from "#names/store/erase-names.ts";
import type { ErasureParts } from "#erasure/ports.ts";

export function makeErasureParts(database: Pick<Database, "db" | "interruptions">): ErasureParts {
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
      const hadSome = await eraseStandings(erasure);
      await eraseGains(erasure);
      return hadSome;
    },
    recheckRequests: makeRecheckRequests(database),
  };
}
