// The routes of all pages, a line for each page; each file in routes/ takes what it needs of the process.
import type { DashboardConfig } from "#runtime/process/config.ts";
import { crc32, digest, randomText } from "#runtime/process/secrets.ts";
import type { SignIn } from "#usecases/accounts/sign-in.ts";
import type { AwardPipeline } from "#usecases/awards/award-pipeline.ts";
import type { ClanRules } from "#usecases/clans/clan-rules.ts";
import { makeCreateKey } from "#usecases/keys/create-key.ts";
import { makeRotateKey } from "#usecases/keys/rotate-key.ts";
import type { Clock, Ids } from "#usecases/ports.ts";
import type { Connections } from "./connections.ts";
import type { Routes } from "./http/route.ts";
import { makeAccountRoutes } from "./routes/account.ts";
import { makeKeyRoutes } from "./routes/keys.ts";

export type RoutesWorld = {
  config: DashboardConfig;
  connections: Connections;
  pipeline: AwardPipeline;
  rules: ClanRules;
  signIn: SignIn;
  clock: Clock;
  ids: Ids;
};

export function makeRoutes({ config, connections, signIn, clock }: RoutesWorld): Routes {
  const { clans, keys } = connections;
  const issuing = { clans, keys, clock, digest, crc32, randomText };
  return {
    ...makeAccountRoutes({ signIn, clans }),
    ...makeKeyRoutes({ keys, createKey: makeCreateKey(issuing), rotateKey: makeRotateKey(issuing), clock, apiUrl: config.apiUrl }),
  };
}
