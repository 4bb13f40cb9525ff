// The parts of the process from which the routes of all pages are made.
import type { JoinedLedger } from "#composition/start-ledger.ts";
import type { DashboardConfig } from "#runtime/process/config.ts";
import type { Identities } from "#usecases/accounts/identities.ts";
import type { Passkeys } from "#usecases/accounts/passkeys.ts";
import type { SignIn } from "#usecases/accounts/sign-in.ts";
import type { Clock, Ids, Log } from "#runtime/ports.ts";
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
