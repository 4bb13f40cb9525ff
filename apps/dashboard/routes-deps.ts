// The parts of the process from which the routes of all pages are made.
import type { JoinedLedger } from "#composition/start-ledger.ts";
import type { DashboardConfig } from "#process/config.ts";
import type { Identities } from "#accounts/identities.ts";
import type { Passkeys } from "#accounts/passkeys.ts";
import type { SignIn } from "#accounts/sign-in.ts";
import type { Clock } from "#kernel/clock.ts";
import type { Ids } from "#kernel/ids.ts";
import type { Log } from "#kernel/log.ts";
import type { Connections } from "./connections.ts";
import type { Reading } from "./reading.ts";

export type RoutesDeps = {
  config: DashboardConfig;
  connections: Connections;
  ledger: JoinedLedger;
  reading: Reading;
  signIn: SignIn;
  passkeys: Passkeys;
  identities: Identities | null;
  clock: Clock;
  ids: Ids;
  log: Log;
};
