// Logs requests that were rejected for their key (401, 403, 429): one line for each key, code and second. So a misused
// or misconfigured key can be found, and a caller who sends thousands of requests cannot fill the log.
import type { ErrorCode } from "#domain/error-code.ts";
import type { Log } from "#usecases/ports.ts";

export type Rejection = {
  code: ErrorCode;
  /**
   * The id in the key's text. With `key_invalid` nobody has presented its secret. Null for no key, or text that is not
   * a key.
   */
  keyId: string | null;
  /** The key's clan; if the key is unknown, the clan in the path. Null for text that is not a clan id. */
  clanId: string | null;
  address: string | null;
  requestId: string;
};
export type RejectionLog = { note(rejection: Rejection): void; /** Writes the remaining lines. */ flush(): void };

const LINE_EVERY_MS = 1_000;
/** Anyone can make up key ids: beyond this many lines in a second the others are only counted. */
const LINES_PER_S_MAX = 100;
/** Half of them are reserved for keys whose secret was presented. */
const UNPROVEN_LINES_PER_S_MAX = 50;

export function makeRejectionLog(log: Log): RejectionLog {
  const lines = new Map<string, Rejection & { suppressed: number }>();
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
      const name = `${rejection.code} ${rejection.keyId ?? rejection.address}`;
      const line = lines.get(name);
      if (line) line.suppressed += 1;
      else if (lines.size < (isProven(rejection.code) ? LINES_PER_S_MAX : UNPROVEN_LINES_PER_S_MAX))
        lines.set(name, { ...rejection, suppressed: 0 });
      else unlisted += 1;
    },
    flush,
  };
}

function isProven(code: ErrorCode): boolean {
  return code !== "key_missing" && code !== "key_invalid";
}
