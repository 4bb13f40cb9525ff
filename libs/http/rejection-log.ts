// Logs requests that were rejected because of their sender (401, 403, 429): one line for each sender, code and second.
// A misused key or account can be found, and a caller who sends thousands of requests cannot fill the log.
import type { Log } from "#kernel/log.ts";

/** Ids of known forms, never a secret or a caller's own text. */
type Rejection = Readonly<Record<string, string | null>> & { code: string; requestId: string };
/** The key, account or address that the line names. `isAuthenticated`: it presented a valid secret. */
type Sender = { name: string | null; isAuthenticated: boolean };
export type RejectionLog = {
  note(rejection: Rejection, sender: Sender): void;
  /** Writes the remaining lines. */ flush(): void;
};

const LINE_EVERY_MS = 1_000;
/** Anyone can invent senders: beyond this many lines in a second, requests are only counted. */
const LINES_PER_S_MAX = 100;
/** Half of them are reserved for senders who presented a secret. */
const UNAUTHENTICATED_LINES_PER_S_MAX = 50;

export function makeRejectionLog(log: Log): RejectionLog {
  const lines = new Map<string, { suppressed: number }>();
  let unlisted = 0;
  let timer: NodeJS.Timeout | null = null;

  function flush(): void {
    if (timer) clearTimeout(timer);
    timer = null;
    for (const line of lines.values()) log.info(line, "request.rejected");
    if (unlisted > 0) log.info({ suppressed: unlisted }, "request.rejections_suppressed");
    lines.clear();
    unlisted = 0;
  }

  return {
    note(rejection, sender) {
      timer ??= setTimeout(flush, LINE_EVERY_MS).unref();
      const name = `${rejection.code} ${sender.name}`;
      const line = lines.get(name);
      if (line) line.suppressed += 1;
      else if (lines.size < (sender.isAuthenticated ? LINES_PER_S_MAX : UNAUTHENTICATED_LINES_PER_S_MAX))
        lines.set(name, { ...rejection, suppressed: 0 });
      else unlisted += 1;
    },
    flush,
  };
}
