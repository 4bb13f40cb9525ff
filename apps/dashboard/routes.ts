// The routes of all pages, a line for each page; each file in routes/ takes what it needs of the process.
import type { Committing } from "#composition/start-committing.ts";
import { awardIdOf } from "#contract/award-id.ts";
import type { DashboardConfig } from "#runtime/process/config.ts";
import { crc32, digest, randomText } from "#runtime/process/secrets.ts";
import type { Passkeys } from "#usecases/accounts/passkeys.ts";
import type { SignIn } from "#usecases/accounts/sign-in.ts";
import { makeReadActivity } from "#usecases/clans/activity.ts";
import { makeChangeClan } from "#usecases/clans/change-clan.ts";
import { makePreviewRanks } from "#usecases/clans/preview-ranks.ts";
import { makeSetRanks } from "#usecases/clans/set-ranks.ts";
import { makeCreateKey } from "#usecases/keys/create-key.ts";
import { makeRotateKey } from "#usecases/keys/rotate-key.ts";
import { makeAppointMember } from "#usecases/members/appoint-member.ts";
import { makeChangeXp } from "#usecases/members/change-xp.ts";
import { makeListEntries } from "#usecases/members/list-entries.ts";
import { makeMemberLists } from "#usecases/members/member-lists.ts";
import { makeRemoveMember } from "#usecases/members/remove-member.ts";
import type { Clock, Ids, Log } from "#usecases/ports.ts";
import { makePreviewReversal } from "#usecases/reversals/preview-reversal.ts";
import { makeSelectAwards } from "#usecases/reversals/select-awards.ts";
import { makeSubmitReversal } from "#usecases/reversals/submit-reversal.ts";
import type { Connections } from "./connections.ts";
import type { Routes } from "./http/route.ts";
import { makeAccountRoutes } from "./routes/account.ts";
import { makeAuditRoutes } from "./routes/audit.ts";
import { makeBatchRoutes } from "./routes/batches.ts";
import { makeKeyRoutes } from "./routes/keys.ts";
import { makeMemberRoutes } from "./routes/members.ts";
import { makeOverviewRoutes } from "./routes/overview.ts";
import { makePasskeyRoutes } from "./routes/passkeys.ts";
import { makeRankRoutes } from "./routes/ranks.ts";
import { makeReversalRoutes } from "./routes/reversals.ts";

export type RoutesWorld = {
  config: DashboardConfig;
  connections: Connections;
  committing: Committing;
  signIn: SignIn;
  passkeys: Passkeys;
  clock: Clock;
  ids: Ids;
  log: Log;
};

export function makeRoutes(world: RoutesWorld): Routes {
  const { config, connections, committing, signIn, clock, ids } = world;
  const { clans, keys, members, ledger, awards } = connections;
  const { committer, rules, catchUp } = committing;
  const lists = makeMemberLists({ members, catchUp });
  const changing = { store: awards, committer, ids, clans };
  const previewRanks = makePreviewRanks({ clans, lists, newRankId: ids.award });
  const issuing = { clans, keys, clock, digest, crc32, randomText };
  return {
    ...makeAccountRoutes({ signIn, clans }),
    ...makePasskeyRoutes({ passkeys: world.passkeys }),
    ...makeOverviewRoutes({ readActivity: makeReadActivity({ store: connections.activity, lists, clock }) }),
    ...makeKeyRoutes({ keys, createKey: makeCreateKey(issuing), rotateKey: makeRotateKey(issuing), clock, apiUrl: config.apiUrl }),
    ...makeMemberRoutes({
      members,
      lists,
      listEntries: makeListEntries({ ledger, awardIdOf }),
      rules,
      changeXp: makeChangeXp({ committer, rules, digest }),
      appointMember: makeAppointMember(changing),
      removeMember: makeRemoveMember(changing),
    }),
    ...makeReversalRoutes(makeReversing(world)),
    ...makeRankRoutes({
      clans,
      previewRanks,
      setRanks: makeSetRanks({ clans, previewRanks }),
      changeClan: makeChangeClan({ clans }),
    }),
    ...makeBatchRoutes({ batches: connections.batches }),
    ...makeAuditRoutes({ audit: connections.audit }),
  };
}

function makeReversing({ connections, clock, ids, log }: RoutesWorld) {
  const { awards: store, queue, reversals, selection } = connections;
  const selectAwards = makeSelectAwards({ selection, clock, awardIdOf });
  return {
    reversals,
    previewReversal: makePreviewReversal({ selectAwards, selection, store, clock, awardIdOf }),
    submitReversal: makeSubmitReversal({ reversals, selectAwards, queue: queue.reversals, clock, digest, ids, log }),
  };
}
