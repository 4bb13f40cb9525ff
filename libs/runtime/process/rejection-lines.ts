// Logs requests that were rejected because of their sender (401, 403, 429): one line for each sender, code and second.
// A misused key or account can be found, and a caller who sends thousands of requests cannot fill the log.
import type { Log } from "#runtime/ports.ts";

type Rejection = { code: string; requestId: string };
/** `sender`: the key, account or address that the line names. `isAuthenticated`: the sender presented a valid secret. */
type Sender<Line> = (rejection: Line) => { sender: string | null; isAuthenticated: boolean };
export type RejectionLines<Line> = {
  note(rejection: Line): void;
  /** Writes the remaining lines. */ flush(): void;
};

const LINE_EVERY_MS = 1_000;
/** Anyone can invent senders: beyond this many lines in a second, requests are only counted. */
const LINES_PER_S_MAX = 100;
/** Half of them are reserved for senders who presented a secret. */
const UNAUTHENTICATED_LINES_PER_S_MAX = 50;

export function makeRejectionLines<Line extends Rejection>(log: Log, senderOf: Sender<Line>): RejectionLines<Line> {
  const lines = new Map<string, Line & { suppressed: number }>();
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
    note(rejection) {
      timer ??= setTimeout(flush, LINE_EVERY_MS).unref();
      const { sender, isAuthenticated } = senderOf(rejection);
      const name = `${rejection.code} ${sender}`;
      const line = lines.get(name);
      if (line) line.suppressed += 1;
      else if (lines.size < (isAuthenticated ? LINES_PER_S_MAX : UNAUTHENTICATED_LINES_PER_S_MAX))
        lines.set(name, { ...rejection, suppressed: 0 });
      else unlisted += 1;
    },
    flush,
  };
}
