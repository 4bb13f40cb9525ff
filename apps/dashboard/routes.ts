// The routes of all pages, a line for each page; each file in routes/ takes what it needs of the process.
import type { DashboardConfig } from "#runtime/process/config.ts";
import { crc32, digest, randomText } from "#runtime/process/secrets.ts";
import type { SignIn } from "#usecases/accounts/sign-in.ts";
import type { AwardPipeline } from "#usecases/awards/award-pipeline.ts";
import { makeReadActivity } from "#usecases/clans/activity.ts";
import type { ClanRules } from "#usecases/clans/clan-rules.ts";
import { makeCreateKey } from "#usecases/keys/create-key.ts";
import { makeRotateKey } from "#usecases/keys/rotate-key.ts";
import { makeAppointMember } from "#usecases/members/appoint-member.ts";
import { makeChangeXp } from "#usecases/members/change-xp.ts";
import { makeRemoveMember } from "#usecases/members/remove-member.ts";
import type { Clock, Ids } from "#usecases/ports.ts";
import type { Connections } from "./connections.ts";
import type { Routes } from "./http/route.ts";
import { makeAccountRoutes } from "./routes/account.ts";
import { makeKeyRoutes } from "./routes/keys.ts";
import { makeMemberRoutes } from "./routes/members.ts";
import { makeOverviewRoutes } from "./routes/overview.ts";

export type RoutesWorld = {
  config: DashboardConfig;
  connections: Connections;
  pipeline: AwardPipeline;
  rules: ClanRules;
  signIn: SignIn;
  clock: Clock;
  ids: Ids;
  /** Has every process project what it committed in the clan. */
  catchUp: (clanId: string) => Promise<void>;
};

export function makeRoutes({ config, connections, pipeline, rules, signIn, clock, ids, catchUp }: RoutesWorld): Routes {
  const { clans, keys, members, ledger, awards } = connections;
  const { committer } = pipeline;
  const changing = { store: awards, committer, ids, clans };
  const issuing = { clans, keys, clock, digest, crc32, randomText };
  return {
    ...makeAccountRoutes({ signIn, clans }),
    ...makeOverviewRoutes({ readActivity: makeReadActivity({ store: connections.activity, clock }) }),
    ...makeKeyRoutes({ keys, createKey: makeCreateKey(issuing), rotateKey: makeRotateKey(issuing), clock, apiUrl: config.apiUrl }),
    ...makeMemberRoutes({
      members,
      ledger,
      rules,
      catchUp,
      changeXp: makeChangeXp({ committer, rules, digest }),
      appointMember: makeAppointMember(changing),
      removeMember: makeRemoveMember(changing),
    }),
  };
}
