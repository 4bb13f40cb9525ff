// Logs requests that were rejected for who sent them (401, 403, 429), by account, or by address where nobody is signed
// in. What somebody typed is never logged: people type passwords where a name belongs.
import type { DashboardCode } from "#contract/dashboard/problem.ts";
import { makeRejectionLines, type RejectionLines } from "#runtime/process/rejection-lines.ts";
import type { Log } from "#usecases/ports.ts";

type Rejection = {
  code: DashboardCode;
  method: string;
  /** The endpoint; null for a path that is none, and for a request that was rejected before. */
  route: string | null;
  /** Of the path, where somebody is signed in and it is a clan id. */
  clanId: string | null;
  account: string | null;
  address: string | null;
  requestId: string;
};
export type RejectionLog = RejectionLines<Rejection>;

export function makeRejectionLog(log: Log): RejectionLog {
  return makeRejectionLines(log, ({ account, address }) => ({
    sender: account ?? address,
    isProven: account !== null,
  }));
}
