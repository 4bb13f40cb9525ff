// Logs requests that were rejected for their key (401, 403, 429): one line for each key, code and second, so that a key
// that is misused or misconfigured can be found, and so that whoever sends thousands cannot fill the log.
import type { ErrorCode } from "#domain/error-code.ts";
import type { Log } from "#usecases/ports.ts";

export type Rejection = {
  code: ErrorCode;
  /**
   * As the key text names it. With `key_invalid` nobody has shown its secret. Null for no key, or text that is none.
   */
  keyId: string | null;
  /** The key's clan; the path's, where the key is not known. Null for what is no clan id. */
  clanId: string | null;
  address: string | null;
  requestId: string;
};
export type RejectionLog = { note(rejection: Rejection): void; /** Writes what was not written yet. */ flush(): void };

const LINE_EVERY_MS = 1_000;
/** Anybody can make up key ids: past this many lines in a second the others are only counted. */
const LINES_PER_S_MAX = 100;
/** Half of them are kept for keys whose secret was shown. */
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
