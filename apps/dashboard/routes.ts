// The routes of all pages, one line for each page. Each file in routes/ receives the parts of the process that it
// needs.
import { pause } from "#async/pause.ts";
import { awardIdOf } from "#contract/award-id.ts";
import { makeCheckAddress } from "#delivery/couriers/check-address.ts";
import { maskUrl } from "#delivery/couriers/mask-url.ts";
import { makeHookSealer } from "#delivery/couriers/hook-sealer.ts";
import { makeSealer } from "#delivery/couriers/sealer.ts";
import { packageVersion } from "#process/package-version.ts";
import { crc32, digest, newSigningSecret, randomText } from "#process/secrets.ts";
import { makeManageAccounts } from "#accounts/manage-accounts.ts";
import { makeCancelBatches } from "#batches/cancel-batches.ts";
import { makeReadOpenPeriods } from "#boards/open-periods.ts";
import { makeAddSeason, makeSetBoard } from "#boards/set-board.ts";
import { makeAddBoosts } from "#boosts/add-boosts.ts";
import { makeEndBoost } from "#boosts/end-boost.ts";
import { makeRecoverBatches } from "#batches/recover-batches.ts";
import { makeChangeClan } from "#clans/change-clan.ts";
import { makeCreateClan } from "#clans/create-clan.ts";
import { makeManageDestinations } from "#delivery/manage-destinations.ts";
import { HOOK_SECRET_CHARS } from "#hooks/bounds.ts";
import { makeManageHooks } from "#hooks/manage-hooks.ts";
import { makeReadRanks } from "#delivery/read-ranks.ts";
import { makeChangePublicPage } from "#public-pages/change-public-page.ts";
import { makeSetRanks } from "#ranks/set-ranks.ts";
import { makeCreateKey } from "#keys/create-key.ts";
import { makeListKeys } from "#keys/list-keys.ts";
import { makeRotateKey } from "#keys/rotate-key.ts";
import { makeAddMember } from "#members/add-member.ts";
import { makeAppointMember } from "#members/appoint-member.ts";
import { makeListEntries } from "#members/list-entries.ts";
import { makeReadXpHistory } from "#members/read-xp-history.ts";
import { makeRemoveMember } from "#members/remove-member.ts";
import { makePeople } from "#accounts/people.ts";
import { makePauseQueue } from "#operations/pause-queue.ts";
import { makeReadProjectionLag } from "#operations/read-projection-lag.ts";
import { makeReadQueue } from "#operations/read-queue.ts";
import { makePreviewReset } from "#resets/preview-reset.ts";
import { makeSubmitReset } from "#resets/submit-reset.ts";
import { makePreviewReversal } from "#reversals/preview-reversal.ts";
import { makeSelectAwards } from "#reversals/select-awards.ts";
import { makeSubmitReversal } from "#reversals/submit-reversal.ts";
import { makeChangingXp, makeImporting } from "./changing.ts";
import type { Routes } from "./http/route.ts";
import { makeAccountsRoutes } from "./routes/accounts.ts";
import { makeAccountRoutes } from "./routes/account.ts";
import { makeAuditRoutes } from "./routes/audit.ts";
import { makeAwardRoutes } from "./routes/awards.ts";
import { makeBoardRoutes } from "./routes/boards.ts";
import { makeBoostRoutes } from "./routes/boosts.ts";
import { makeBatchRoutes } from "./routes/batches.ts";
import { makeClanRoutes } from "./routes/clans.ts";
import { makeDestinationRecordRoutes } from "./routes/destination-records.ts";
import { makeDestinationRoutes } from "./routes/destinations.ts";
import { makeErasureHookRoutes } from "./routes/erasure-hooks.ts";
import { makeEventRoutes } from "./routes/events.ts";
import { makeGainRoutes } from "./routes/gains.ts";
import { makeImportRoutes } from "./routes/imports.ts";
import { makeKeyReversalRoutes } from "./routes/key-reversals.ts";
import { makeKeyRoutes } from "./routes/keys.ts";
import { makeMemberListRoutes } from "./routes/member-lists.ts";
import { makeMemberRoutes } from "./routes/members.ts";
import { makeOidcRoutes } from "./routes/oidc.ts";
import { makeOverviewRoutes } from "./routes/overview.ts";
import { makePasskeyRoutes } from "./routes/passkeys.ts";
import { makePeopleRoutes } from "./routes/people.ts";
import { makePublicPageRoutes } from "./routes/public-page.ts";
import { makeQueueRoutes } from "./routes/queue.ts";
import { makeRankRoutes } from "./routes/ranks.ts";
import { makeResetRoutes } from "./routes/resets.ts";
import { makeReversalRoutes } from "./routes/reversals.ts";
import { makeShowEntries } from "./routes/show-entries.ts";
import { makeSubmitForPerson } from "./routes/submit-for-person.ts";
import { makeGaining, makeListing, makeListingAwards, makeWatching } from "./listing.ts";
import type { RoutesDeps } from "./routes-deps.ts";

export function makeRoutes(deps: RoutesDeps): Routes {
  const { config, connections, ledger, reading, signIn, clock, ids } = deps;
  const { clans, keys, members, names, ledgerReader: reader, ledgerStore: store } = connections;
  const { rules } = ledger;
  const { leaderboard, previewRanks, countRanks } = reading;
  const changing = { store, committer: ledger, ids, clans };
  const reversing = makeReversing(deps);
  const cancelBatches = makeCancelBatches({ batches: connections.batches, clock, pause });
  const changeClan = makeChangeClan({ clans });
  const managing = makeManaging(deps);
  const inviting = makeInviting(deps);
  const issuing = { clans, keys, clock, digest, crc32, randomText };
  return {
    ...makeAccountRoutes({ signIn, clans, docsUrl: docsUrlOf(config.apiUrl), version: packageVersion }),
    ...makePasskeyRoutes({ passkeys: deps.passkeys }),
    ...makeOidcRoutes({ identities: deps.identities }),
    ...makeOverviewRoutes({ ...makeWatching(deps), names }),
    ...makeKeyRoutes({
      keys,
      listKeys: makeListKeys({ keys, budgets: connections.budgets, clock }),
      createKey: makeCreateKey(issuing),
      rotateKey: makeRotateKey(issuing),
      clock,
      apiUrl: config.apiUrl,
    }),
    ...makeMemberRoutes({
      members,
      names,
      leaderboard,
      showEntries: makeShowEntries({ keys }),
      erasures: connections.erasures,
      ids,
      listEntries: makeListEntries({ reader, awardIdOf }),
      readXpHistory: makeReadXpHistory({ store: connections.xpHistory, clock }),
      rules,
      changeXp: makeChangingXp(deps),
      addMember: makeAddMember(changing),
      appointMember: makeAppointMember(changing),
      removeMember: makeRemoveMember(changing),
    }),
    ...makeMemberListRoutes(makeListing(deps)),
    ...makeGainRoutes(makeGaining(deps)),
    ...makeAwardRoutes({ ...makeListingAwards(deps), ...reversing }),
    ...makeImportRoutes({ ...makeImporting(deps), ...reversing }),
    ...makeReversalRoutes({ ...reversing, names }),
    ...makeResetRoutes({ ...reversing, ...makeResetting(deps) }),
    ...makeKeyReversalRoutes({ ...reversing, keys, batches: connections.batches, cancelBatches, clock }),
    ...makeRankRoutes({ clans, countRanks, previewRanks, setRanks: makeSetRanks({ clans, previewRanks }), changeClan }),
    ...makeBoardRoutes(makeRanking(deps)),
    ...makeBoostRoutes({
      boosts: connections.boosts,
      clans,
      addBoosts: makeAddBoosts({ clans, boosts: connections.boosts, ids }),
      endBoost: makeEndBoost(connections),
    }),
    ...makeBatchRoutes({ batches: connections.batches, names, cancelBatches }),
    ...makeEventRoutes(connections),
    ...makeDestinationRoutes(managing),
    ...makeDestinationRecordRoutes(managing),
    ...makeAuditRoutes(connections),
    ...makeClanRoutes({ clans, createClan: makeCreateClan({ clans }), changeClan }),
    ...makeErasureHookRoutes(makeReceiving(deps)),
    ...makeQueueRoutes(makeOperating(deps)),
    ...makeAccountsRoutes(inviting),
    ...makePeopleRoutes({ people: makePeople({ ...connections, clock, digest, randomText }) }),
    ...makePublicPageRoutes(makePublishing(deps)),
  };
}

/** The API serves the documentation. */
function docsUrlOf(apiUrl: string | null): string | null {
  return apiUrl === null ? null : `${apiUrl}/docs`;
}

function makePublishing({ config, connections, reading: { readPage } }: RoutesDeps) {
  const { publicPages: isServed, dashboardUrl } = config;
  return { ...connections, changePublicPage: makeChangePublicPage(connections), readPage, isServed, dashboardUrl };
}

function makeRanking({ connections, reading }: RoutesDeps) {
  const { boards: store, periods, names } = connections;
  const changing = { boards: store, readOpenPeriods: makeReadOpenPeriods({ boards: store, periods }) };
  return {
    boards: reading.readBoards,
    store,
    setBoard: makeSetBoard(changing),
    addSeason: makeAddSeason(changing),
    searchMembers: reading.searchMembers,
    names,
  };
}

function makeReversing({ connections, clock, ids, log }: RoutesDeps) {
  const { ledgerStore: store, queue, reversals, selection } = connections;
  const selectAwards = makeSelectAwards({ selection, clock });
  return {
    reversals,
    previewReversal: makePreviewReversal({ selectAwards, selection, store, clock, awardIdOf }),
    submitForPerson: makeSubmitForPerson(
      makeSubmitReversal({ reversals, selectAwards, queue: queue.reversals, clock, digest, ids, log }),
    ),
  };
}

function makeResetting({ connections, ledger: { catchUp }, clock, ids, log }: RoutesDeps) {
  const { resets, selection, clans, queue } = connections;
  return {
    resets,
    previewReset: makePreviewReset({ clans, selection, catchUp, clock }),
    submitReset: makeSubmitReset({ resets, selection, queue: queue.reversals, clock, ids, log }),
  };
}

function makeManaging({ config, connections, clock, ids }: RoutesDeps) {
  const { destinations, names, clans, ledgerStore: heads } = connections;
  const { secretsKey, allowPrivate } = config;
  const manage = makeManageDestinations({
    ...connections,
    sealer: secretsKey === null ? null : makeSealer(secretsKey),
    urls: { findFault: makeCheckAddress({ allowPrivate }), mask: maskUrl },
    newSecret: newSigningSecret,
    ids,
    clock,
  });
  return { manage, destinations, names, readRanks: makeReadRanks({ heads, clans }) };
}

/** Of Roblox's erasure requests. */
function makeReceiving({ config: { apiUrl }, connections, clock, ids }: RoutesDeps) {
  const { erasureHooks: hooks, erasureRequests: requests } = connections;
  const newSecret = (): string => randomText(HOOK_SECRET_CHARS);
  async function openSealer() {
    const publicKey = await hooks.readKey();
    return publicKey === null ? null : makeHookSealer(publicKey);
  }
  return { hooks, requests, apiUrl, manageHooks: makeManageHooks({ hooks, openSealer, newSecret, ids, clock }) };
}

function makeInviting({ connections, clock }: RoutesDeps) {
  const { accounts, clans } = connections;
  return { manage: makeManageAccounts({ accounts, clans, clock, digest, randomText }), accounts, clock };
}

function makeOperating({ connections, clock, log }: RoutesDeps) {
  const { batches, reversals, queue, processes, audit } = connections;
  return {
    readQueue: makeReadQueue({
      batches,
      // For all clans: no clan has this id.
      reversals: { ...reversals, countUnfinished: () => reversals.countUnfinished("") },
      queue,
      readProjectionLag: makeReadProjectionLag({ processes }),
    }),
    pauseQueue: makePauseQueue({ queue, audit }),
    recoverBatches: makeRecoverBatches({ batches, queue, clock, log }),
    recoverReversals: makeRecoverBatches({ batches: reversals, queue: queue.reversals, clock, log }),
  };
}
