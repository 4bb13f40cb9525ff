// Logs a sample of the requests, whose share the operator sets.
import type { Log } from "#kernel/log.ts";

export type RequestLog = (request: {
  requestId: string;
  method: string;
  route: string;
  status: number;
  seconds: number;
}) => void;

/** `share` of the requests, 0 to 1; null for none, so that the others cost nothing. */
export function makeRequestLog({
  share,
  random,
  log,
}: {
  share: number;
  random: () => number;
  log: Log;
}): RequestLog | null {
  if (share === 0) return null;
  return ({ seconds, ...request }) => {
    if (random() < share) log.info({ ...request, ms: Math.round(seconds * 1e6) / 1e3 }, "request.completed");
  };
}
