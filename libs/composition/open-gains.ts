// Gains in a process: of a clan in a span, and of a member.
import type { Database } from "#store/database.ts";
import { makeGainClaims } from "#store/gains/gain-claims.ts";
import { makeGainCounts, newCountId } from "#store/gains/gain-counts.ts";
import { makeReadSnapshot } from "#store/gains/gain-snapshots.ts";
import { makeGainedAwards } from "#store/gains/gained-awards.ts";
import { makeMemberStore } from "#store/members/member-store.ts";
import { makeCountGains } from "#usecases/gains/count-gains.ts";
import { makeCountInTurn } from "#usecases/gains/count-in-turn.ts";
import { makeReadGains, type ReadGains } from "#usecases/gains/read-gains.ts";
import { makeReadMemberGains, type ReadMemberGains } from "#usecases/gains/read-member-gains.ts";
import type { Clock, Log } from "#runtime/ports.ts";

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
