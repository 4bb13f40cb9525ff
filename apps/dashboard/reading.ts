// The reads of members and boards that several pages share, with their caches: those of the dashboard's own pages, and
// the public ones.
import { openBoards } from "#composition/open-boards.ts";
import type { JoinedLedger } from "#composition/start-ledger.ts";
import { makeRebuildThese } from "#ledger/rebuild-members.ts";
import { makeLeaderboard } from "#usecases/members/leaderboard.ts";
import { makeMemberLists } from "#usecases/members/member-lists.ts";
import { makeReadPublicPage } from "#usecases/public-pages/read-public-page.ts";
import { makeCountRanks } from "#usecases/ranks/count-ranks.ts";
import { makePreviewRanks } from "#usecases/ranks/preview-ranks.ts";
import type { Clock, Ids, Log } from "#runtime/ports.ts";
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
  const { catchUp } = ledger;
  const lists = makeMemberLists({ members, catchUp, rebuildThese: makeRebuildThese({ store, epochs, clock }) });
  const leaderboard = makeLeaderboard({ store: connections.leaderboard, catchUp, clock });
  const previewRanks = makePreviewRanks({ clans, lists, newRankId: ids.award });
  const countRanks = makeCountRanks({ previewRanks, leaderboard, clock });
  const readBoards = openBoards({ database, project: catchUp, clock, log });
  const readPage = makeReadPublicPage({ lists, leaderboard, countRanks, boards, readBoards, names, clock });
  return { lists, leaderboard, previewRanks, countRanks, readBoards, readPage };
}
