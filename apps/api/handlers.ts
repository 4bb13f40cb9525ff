// The handler of every endpoint of the API, from its use cases.
import { openBoards } from "#composition/open-boards.ts";
import { makeReadPriority } from "#redis/priority-claim.ts";
import { openGains } from "#composition/open-gains.ts";
import { awardIdOf } from "#contract/award-id.ts";
import { endpoints } from "#contract/endpoints.ts";
import type { AppError } from "#kernel/app-error.ts";
import type { FailureLog } from "#process/failure-log.ts";
import type { ProjectionRequests } from "#redis/projection-requests.ts";
import { digest } from "#process/secrets.ts";
import { makeApplyAward } from "#awards/apply-award.ts";
import { makeApplyAwards } from "#awards/apply-awards.ts";
import { makeAwaitBatch } from "#batches/await-batch.ts";
import type { Ledger } from "#ledger/ledger.ts";
import { BATCHES_AWAITED_MAX } from "#batches/bounds.ts";
import { makeClaimAwards } from "#awards/claim-awards.ts";
import { makeReadCallerAward } from "#awards/caller-award.ts";
import type { ClanRules } from "#clans/clan-rules.ts";
import { makeReadEvents } from "#events/read-events.ts";
import { makeFindReplays } from "#awards/find-replays.ts";
import { makeClaimBudget } from "#keys/key-budget.ts";
import type { Clock } from "#kernel/clock.ts";
import type { Ids } from "#kernel/ids.ts";
import type { Log } from "#kernel/log.ts";
import type { Meter } from "#telemetry/meter.ts";
import { makeRebuildThese } from "#ledger/rebuild-members.ts";
import { makeLeaderboard } from "#members/leaderboard.ts";
import { makeMemberLists } from "#members/member-lists.ts";
import { makeSubmitBatch } from "#batches/submit-batch.ts";
import { makePreviewReversal } from "#reversals/preview-reversal.ts";
import { makeSelectAwards } from "#reversals/select-awards.ts";
import { makeSubmitReversal } from "#reversals/submit-reversal.ts";
import type { Connections } from "./connections.ts";
import { makeHandler, type Handlers } from "./endpoint.ts";
import { makeApplyAwardRoute } from "./routes/apply-award.ts";
import { makeApplyAwardsRoute } from "./routes/apply-awards.ts";
import { makeListBoardsRoute } from "./routes/list-boards.ts";
import { makeListEventsRoute } from "./routes/list-events.ts";
import { makeListGainsRoute } from "./routes/list-gains.ts";
import { makeListMembersRoute } from "./routes/list-members.ts";
import { makeListPeriodsRoute } from "./routes/list-periods.ts";
import { makeListStandingsRoute } from "./routes/list-standings.ts";
import { makeReadBatchRoute } from "./routes/read-batch.ts";
import { makeReadClanRoute } from "./routes/read-clan.ts";
import { makeReadLedgerRoute } from "./routes/read-ledger.ts";
import { makeReadMemberGainsRoute } from "./routes/read-member-gains.ts";
import { makeReadMemberRoute } from "./routes/read-member.ts";
import { makeReadPeriodRoute } from "./routes/read-period.ts";
import { makeReadReversalRoute } from "./routes/read-reversal.ts";
import { makeSetNamesRoute } from "./routes/set-names.ts";
import { makeSubmitBatchRoute } from "./routes/submit-batch.ts";
import { makeSubmitReversalRoute } from "./routes/submit-reversal.ts";

type HandlersDeps = {
  connections: Connections;
  committer: Pick<Ledger, "submit">;
  catchUp: ProjectionRequests["catchUp"];
  rules: ClanRules;
  clock: Clock;
  ids: Ids;
  meter: Meter;
  failureLog: FailureLog;
  log: Log;
  stopping: AbortSignal;
};

export function makeHandlers(deps: HandlersDeps): Handlers {
  const { connections, rules, clock, ids, meter, failureLog, log, stopping } = deps;
  const {
    ledgerStore: store,
    ledgerReader: reader,
    batches,
    members,
    names,
    queue,
    signal,
    claimPriority,
    events: feed,
    eventSignal,
  } = connections;
  const rebuildThese = makeRebuildThese({ store, epochs: connections.epochs, clock });
  const lists = makeMemberLists({ members, catchUp: deps.catchUp, rebuildThese });
  const leaderboard = makeLeaderboard({ store: connections.leaderboard, catchUp: deps.catchUp, clock });
  const findReplays = makeFindReplays(store);
  const readCallerAward = makeReadCallerAward({ digest, ids });
  const noteFailure = (error: AppError): void => {
    meter.problem(error.code);
    failureLog.note(error);
  };
  const claimBudget = makeClaimBudget({ budgets: connections.budgets, clock, newClaimId: ids.award });
  const applying = {
    committer: deps.committer,
    findReplays,
    claimPriority,
    rules,
    readCallerAward,
    claimAwards: makeClaimAwards({ claimBudget, findReplays, clock, digest }),
    meter,
  };
  const submitBatch = makeSubmitBatch({
    batches,
    members: store,
    queue,
    rules,
    claimBudget,
    clock,
    digest,
    ids,
    meter,
    log,
  });
  const awaitBatch = makeAwaitBatch({ batches, signal, clock, log, awaitedMax: BATCHES_AWAITED_MAX, stopping });
  const readEvents = makeReadEvents({ feed, signal: eventSignal, clock, log, stopping });
  return {
    "apply-award": makeHandler(endpoints["apply-award"], makeApplyAwardRoute(makeApplyAward(applying))),
    "apply-awards": makeHandler(
      endpoints["apply-awards"],
      makeApplyAwardsRoute({ applyAwards: makeApplyAwards(applying), noteFailure }),
    ),
    "submit-batch": makeHandler(endpoints["submit-batch"], makeSubmitBatchRoute({ submitBatch, awaitBatch })),
    "read-batch": makeHandler(endpoints["read-batch"], makeReadBatchRoute(batches)),
    "read-clan": makeHandler(endpoints["read-clan"], makeReadClanRoute({ rules, leaderboard, clock })),
    "read-member": makeHandler(endpoints["read-member"], makeReadMemberRoute({ members, names, leaderboard, rules })),
    "list-members": makeHandler(
      endpoints["list-members"],
      makeListMembersRoute({ members, lists, names, leaderboard, rules }),
    ),
    "read-ledger": makeHandler(endpoints["read-ledger"], makeReadLedgerRoute({ members, reader })),
    "set-names": makeHandler(endpoints["set-names"], makeSetNamesRoute(names)),
    "list-events": makeHandler(endpoints["list-events"], makeListEventsRoute(readEvents)),
    ...makeBoardHandlers(deps),
    ...makeGainHandlers(deps),
    "submit-reversal": makeHandler(endpoints["submit-reversal"], makeSubmitReversalRoute(makeReversing(deps))),
    "read-reversal": makeHandler(endpoints["read-reversal"], makeReadReversalRoute(connections.reversals)),
  };
}

function makeBoardHandlers({ connections: { database, names }, catchUp, clock, log }: HandlersDeps) {
  const boards = openBoards({ database, project: catchUp, clock, log });
  return {
    "list-boards": makeHandler(endpoints["list-boards"], makeListBoardsRoute(boards)),
    "list-periods": makeHandler(endpoints["list-periods"], makeListPeriodsRoute(boards)),
    "read-period": makeHandler(endpoints["read-period"], makeReadPeriodRoute(boards)),
    "list-standings": makeHandler(endpoints["list-standings"], makeListStandingsRoute({ boards, names })),
  };
}

function makeGainHandlers({ connections, clock, log, stopping }: HandlersDeps) {
  const { database, members, names, queueRedis: redis, namespace } = connections;
  const isThrottled = makeReadPriority({ redis, namespace, log });
  const gains = openGains({ database, clock, log, isThrottled, stopping });
  return {
    "list-gains": makeHandler(endpoints["list-gains"], makeListGainsRoute({ gains, names })),
    "read-member-gains": makeHandler(
      endpoints["read-member-gains"],
      makeReadMemberGainsRoute({ members, readMemberGains: gains.ofMember }),
    ),
  };
}

function makeReversing({
  connections,
  clock,
  ids,
  log,
}: {
  connections: Connections;
  clock: Clock;
  ids: Ids;
  log: Log;
}) {
  const { ledgerStore: store, queue, reversals, selection } = connections;
  const selectAwards = makeSelectAwards({ selection, clock });
  return {
    previewReversal: makePreviewReversal({ selectAwards, selection, store, clock, awardIdOf }),
    submitReversal: makeSubmitReversal({ reversals, selectAwards, queue: queue.reversals, clock, digest, ids, log }),
  };
}
