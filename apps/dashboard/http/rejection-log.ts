// Logs requests that were rejected because of their sender (401, 403, 429), by account, or by address if nobody is
// signed in. Typed text is never logged, because people sometimes type a password into the name field.
import type { DashboardCode } from "#contract/dashboard/problem.ts";
import { makeRejectionLines, type RejectionLines } from "#runtime/process/rejection-lines.ts";
import type { Log } from "#runtime/ports.ts";

type Rejection = {
  code: DashboardCode;
  method: string;
  /**
   * The endpoint; null for a path without an endpoint, and for a request that was rejected before its endpoint was
   * determined.
   */
  route: string | null;
  /** The clan id in the path, if it is valid and somebody is signed in. */
  clanId: string | null;
  account: string | null;
  address: string | null;
  requestId: string;
};
export type RejectionLog = RejectionLines<Rejection>;

export function makeRejectionLog(log: Log): RejectionLog {
  return makeRejectionLines(log, ({ account, address }) => ({
    sender: account ?? address,
    isAuthenticated: account !== null,
  }));
}
