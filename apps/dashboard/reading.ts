// The reads of members, boards and gains that several pages share, with their caches: those of the dashboard's own
// pages, and the public ones.
import { openBoards } from "#composition/open-boards.ts";
import { openGains } from "#composition/open-gains.ts";
import type { JoinedLedger } from "#composition/start-ledger.ts";
import { makeRebuildThese } from "#ledger/rebuild-members.ts";
import { makeReadPriority } from "#redis/priority-claim.ts";
import { makeLeaderboard } from "#members/leaderboard.ts";
import { makeMemberLists } from "#members/member-lists.ts";
import { makeSearchMembers } from "#members/search-members.ts";
import { makeReadPublicPage } from "#public-pages/read-public-page.ts";
import { makeCountRanks } from "#ranks/count-ranks.ts";
import { makePreviewRanks } from "#ranks/preview-ranks.ts";
import type { Clock } from "#kernel/clock.ts";
import type { Ids } from "#kernel/ids.ts";
import type { Log } from "#kernel/log.ts";
import type { Connections } from "./connections.ts";

export type Reading = ReturnType<typeof makeReading>;

export function makeReading(deps: {
  connections: Connections;
  ledger: Pick<JoinedLedger, "catchUp">;
  clock: Clock;
  ids: Ids;
  log: Log;
}) {
  const { connections, ledger, clock, ids, log } = deps;
  const { clans, members, names, boards, database, ledgerStore: store, epochs } = connections;
  const { queueRedis: redis, namespace } = connections;
  const { catchUp } = ledger;
  const lists = makeMemberLists({ members, catchUp, rebuildThese: makeRebuildThese({ store, epochs, clock }) });
  const searchMembers = makeSearchMembers({ lists, members, names });
  const leaderboard = makeLeaderboard({ store: connections.leaderboard, catchUp, clock });
  const previewRanks = makePreviewRanks({ clans, lists, newRankId: ids.award });
  const countRanks = makeCountRanks({ previewRanks, leaderboard, clock });
  const readBoards = openBoards({ database, project: catchUp, clock, log });
  const stopping = new AbortController();
  const isThrottled = makeReadPriority({ redis, namespace, log });
  const gains = openGains({ database, clock, log, isThrottled, stopping: stopping.signal });
  const readPage = makeReadPublicPage({ lists, leaderboard, countRanks, boards, readBoards, names, clock });
  /** Ends what is being counted. */
  const stop = (): void => stopping.abort();
  return { lists, searchMembers, leaderboard, previewRanks, countRanks, readBoards, gains, readPage, stop };
}
