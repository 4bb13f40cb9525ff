// Gains in a process: of a clan in a span, and of a member.
import type { Database } from "#mongo/database.ts";
import { makeGainClaims } from "#gains/store/gain-claims.ts";
import { makeGainCounts, newCountId } from "#gains/store/gain-counts.ts";
import { makeReadSnapshot } from "#gains/store/gain-snapshots.ts";
import { makeGainedAwards } from "#gains/store/gained-awards.ts";
import { makeMemberStore } from "#members/store/member-store.ts";
import { makeCountGains } from "#gains/count-gains.ts";
import { makeCountInTurn } from "#gains/count-in-turn.ts";
import { makeReadGains, type ReadGains } from "#gains/read-gains.ts";
import { makeReadMemberGains, type ReadMemberGains } from "#gains/read-member-gains.ts";
import type { Clock } from "#kernel/clock.ts";
import type { Log } from "#kernel/log.ts";

/** `isThrottled`: single awards are served. `stopping`: ends what is being counted. `onProgress`: the part of a count that is done. */
export function openGains(deps: {
  database: Database;
  clock: Clock;
  log: Log;
  isThrottled: () => Promise<boolean>;
  stopping?: AbortSignal;
  onProgress?: (done: number) => void;
}): ReadGains & { ofMember: ReadMemberGains } {
  const { database } = deps;
  const common = { ...deps, counts: makeGainCounts(database), newId: newCountId };
  const countGains = makeCountGains({
    ...common,
    readSnapshot: makeReadSnapshot(database),
    members: makeMemberStore(database),
  });
  const countInTurn = makeCountInTurn({ ...common, claims: makeGainClaims(database), countGains });
  return {
    ...makeReadGains({ ...common, countInTurn }),
    ofMember: makeReadMemberGains({ awards: makeGainedAwards(database) }),
  };
}
