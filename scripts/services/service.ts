// One server of one data folder that can be restarted, always on the same port and with the same data.

import { join } from "node:path";
import {
  findServer,
  processorRemedies,
  type ChosenServer,
  type Server,
  type ServerRequirement,
} from "../servers/find-server.ts";
import { launch, logTail } from "./launch.ts";
import { readNote, writeNote, type Note } from "./notes.ts";
import { stopOrphan } from "./stop-orphan.ts";
import { freePort } from "./ports.ts";
import { messageOf } from "../system/message-of.js";
import type { Running } from "../system/watch-child.ts";

const FAILED_START_GRACE_MS = 5_000;

export type Kind = {
  name: "mongod" | "redis";
  url: (port: number) => string;
  args: (at: { dataDir: string; port: number; inContainer: boolean }) => string[];
  /** Rejects, with nothing left running, once the server has `ended`. */
  whenReady: (at: { port: number; ended: AbortSignal }) => Promise<void>;
};

export type Service = {
  name: string;
  url: string;
  server: ChosenServer;
  /** Resolves when it is ready. */
  start: (onLaunch?: (running: Running) => void) => Promise<Running>;
};

export async function prepareService({
  kind,
  requirement,
  dataDir,
  cacheDir,
  port: requestedPort,
  log,
}: {
  kind: Kind;
  requirement: ServerRequirement;
  dataDir: string;
  cacheDir: string;
  port?: number | undefined;
  log: (line: string) => void;
}): Promise<Service> {
  await stopOrphan(dataDir, kind.name, log);
  const before = readNote(dataDir, kind.name);
  const server = await findServer(requirement, { cacheDir, log, preferred: before.from });
  const port = await freePort(requestedPort ?? before.port);
  const logFile = join(dataDir, "logs", `${kind.name}.log`);

  return {
    name: kind.name,
    url: kind.url(port),
    server,
    async start(onLaunch) {
      const args = kind.args({ dataDir, port, inContainer: server.image !== undefined });
      const running = await launch({ server, args, dataDir, port, logFile });
      const { pid, container } = running;
      const end = new AbortController();
      void running.exited.then((how) => end.abort(new Error(how)));
      try {
        onLaunch?.(running); // before anything that can fail, such as a write to a full disk
        const note = { ...readNote(dataDir, kind.name), pid, container, port };
        writeNote(dataDir, kind.name, note);
        await kind.whenReady({ port, ended: end.signal });
        // Only now, because a version that cannot read the data has not written it.
        writeNote(dataDir, kind.name, { ...note, version: server.version, from: server.from });
        return running;
      } catch (error) {
        await running.stop(FAILED_START_GRACE_MS);
        throw new Error(notUp({ kind, requirement, server, before, logFile, reason: messageOf(error) }), {
          cause: error,
        });
      }
    },
  };
}

function notUp({
  kind,
  requirement,
  server,
  before,
  logFile,
  reason,
}: {
  kind: Kind;
  requirement: ServerRequirement;
  server: Server;
  before: Note;
  logFile: string;
  reason: string;
}) {
  const isOther = before.version !== undefined && before.version !== server.version;
  return [
    `${kind.name} ${server.version} (${server.from}) did not come up: ${reason}`,
    ...processorRemedies(requirement, reason),
    ...(isOther
      ? [`The data was last written by version ${before.version} (${before.from}), which may be the reason.`]
      : []),
    `The end of ${logFile}:`,
    logTail(logFile),
  ].join("\n");
}
