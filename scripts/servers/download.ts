// A server that a package client downloads into the cache once. The download is complete and tested, or it is repeated.

import { join } from "node:path";
import { land, landed } from "../system/land.js";
import { withProgress } from "../system/progress.js";
import { versionOf } from "./version.ts";
import type { Context, Provider } from "./find-server.ts";

export function download({
  title,
  from,
  folder,
  program,
  env,
  note,
  unfit,
  fill,
}: {
  title: string;
  from: string;
  /** Its place in the cache. */
  folder: string;
  program: (dir: string) => string;
  /** The environment that the program needs. */
  env?: (dir: string) => Record<string, string>;
  /** A note for users of this server. */
  note?: string;
  /** The reason why this machine cannot use it, if any. */
  unfit?: () => string | undefined;
  fill: (dir: string, context: Context) => Promise<{ reason: string } | undefined>;
}): Provider {
  return {
    title,
    async find(context) {
      const reason = unfit?.();
      if (reason) return { reason };
      const landing = {
        dest: join(context.cacheDir, "servers", folder),
        program,
        tryOut: (dir: string) => versionOf(program(dir), env?.(dir)),
        fill: (dir: string) => withProgress(context.log, `fetching ${from}`, fill(dir, context)),
        log: context.log,
      };
      const answer = context.mayFetch ? await land(landing) : await landed(landing);
      if ("reason" in answer) return answer;
      const { dest } = landing;
      return {
        found: { command: program(dest), env: env?.(dest), version: answer.value, from, ...(note ? { note } : {}) },
      };
    },
  };
}
