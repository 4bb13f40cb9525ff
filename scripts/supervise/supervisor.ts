// Runs all processes of one data folder: MongoDB and Redis, then the API, worker, notifier and dashboard, each
// restarted after a crash. It can be stopped at any moment, even during a start. The roles are stopped first, so that
// they complete their requests while the servers still run.

import { existsSync } from "node:fs";
import { listeningUrl } from "#process/listening-url.ts";
import { cacheDir } from "../paths.js";
import { buildPages } from "../dashboard/built-pages.ts";
import { prepareServices } from "../services/start-services.ts";
import { writeNote } from "../services/notes.ts";
import { timed, withProgress } from "../system/progress.js";
import { stopOrphan } from "../services/stop-orphan.ts";
import { choosePorts } from "./choose-ports.ts";
import { openDataFolder } from "./data-folder.ts";
import { demoLink, seedDemoIfNew } from "./demo.ts";
import type { Screen } from "./first-screen.ts";
import { makeGroup, type Group } from "./group.ts";
import { findOrMakeKeys, noteGiven } from "./kept-keys.ts";
import { untilReady } from "./ready.ts";
import { roleEnv } from "./role-env.ts";
import { startRole } from "./start-role.ts";
import type { Role } from "./node-options.ts";
import { makeRunFile } from "./run-file.ts";
import type { Config } from "./config.ts";

// Together less than the 15 s that a stop may take, including npm's own time.
const ROLE_GRACE_MS = 7_000;
const SERVER_GRACE_MS = 5_000;

/** How a process of a role ends if it finds that it cannot start; a crash ends otherwise (code 7, 134, a signal). */
const REJECTED_ITS_START = "exit code 1";

export function makeSupervisor({ config, log }: { config: Config; log: (line: string) => void }) {
  const servers = makeGroup(log);
  const roles = makeGroup(log);
  const closers: (() => void)[] = [];

  return {
    /** Resolves with what is to be shown. */
    async start(): Promise<Screen> {
      const { dataDir, ports } = await claimFolder(config, closers, log);
      const runFile = makeRunFile(dataDir);
      const baseUrl = listeningUrl(config.host, ports.port);
      const dashboardUrl = config.dashboardUrl ?? localUrl(listeningUrl(config.host, ports.dashboardPort));
      const given = givenOf(config, dashboardUrl);
      const keys = findOrMakeKeys(dataDir, given);
      closers.unshift(runFile.remove, noteGiven(dataDir, given));
      const pages = timed(log, "pages of the dashboard", buildPages(log));
      pages.catch(() => {}); // only the dashboard waits for them
      const prepared = await startServers({ config, dataDir, servers, runFile, log });
      const { mongoUrl, redisUrl, mongod, redis, serving } = prepared;

      const onPid = (role: string) => (pid: number) => {
        writeNote(dataDir, role, { pid });
        runFile.setPid(role, pid);
      };
      const env = roleEnv({ config, ports, mongoUrl, redisUrl, baseUrl, dashboardUrl, ...keys }, process.env);
      const opsHost = config.opsHost ?? config.host;
      const processes = [
        ["api", ports.opsPort],
        ["worker", ports.workerOpsPort],
        ["notifier", ports.notifierOpsPort],
        ["dashboard", ports.dashboardOpsPort],
      ] as const;
      const start = makeFirstStart();
      const startOne = async (role: Role, port: number): Promise<void> => {
        if (role === "dashboard") await pages;
        await roles.add({
          name: role,
          start: async (onLaunch) => onLaunch(startRole({ role, env: env[role] })),
          onPid: onPid(role),
          gaveUp: (how) => start.gaveUp(role, how),
        });
        await untilReady(role, listeningUrl(opsHost, port), () => runFile.pidOf(role), log);
      };
      const linkOf = async (): Promise<string> => {
        await serving;
        await seedDemoIfNew({ dataDir, mongoUrl, log });
        return timed(log, "link to the dashboard", demoLink({ dataDir, mongoUrl, dashboardUrl, log }));
      };
      const starting = start.succeeded(
        Promise.all([linkOf(), ...processes.map(([role, port]) => timed(log, role, startOne(role, port)))]),
      );
      const [link] = await withProgress(log, "starting the API, the worker, the notifier and the dashboard", starting);

      const opsUrl = listeningUrl(opsHost, ports.opsPort);
      const notifierOpsUrl = listeningUrl(opsHost, ports.notifierOpsPort);
      runFile.publish({ baseUrl, opsUrl, notifierOpsUrl, dashboardUrl, mongoUrl, redisUrl });
      return { baseUrl, opsUrl, dashboardUrl, link, dataDir, mongod: mongod?.server, redis: redis?.server };
    },

    async stop() {
      await roles.stop(ROLE_GRACE_MS);
      await servers.stop(SERVER_GRACE_MS);
      for (const close of closers) close();
    },
  };
}

/** What programs that are started beside it find noted. */
function givenOf({ outbound, hookKey, apiUrl }: Config, dashboardUrl: string): Record<string, string | undefined> {
  return { ...outbound, HOOK_KEY: hookKey, API_URL: apiUrl, DASHBOARD_URL: dashboardUrl };
}

/** A folder that does not exist has no processes that have its ports: it stays absent if these are in use. */
async function claimFolder(config: Config, closers: (() => void)[], log: (line: string) => void) {
  const portsOfNew = existsSync(config.dataDir) ? null : await choosePorts(config);
  const { dataDir, close } = openDataFolder(config.dataDir);
  closers.push(close);
  // Those whose supervisor was killed.
  for (const role of ["api", "worker", "notifier", "dashboard"]) await stopOrphan(dataDir, role, log);
  return { dataDir, ports: portsOfNew ?? (await choosePorts(config)) };
}

/** By name: passkeys work at no IP address. */
function localUrl(url: string): string {
  return url.replace("//127.0.0.1:", "//localhost:");
}

/**
 * Until all processes are ready, one that exits because it cannot start is not restarted: a restart changes neither its
 * settings nor an index that cannot be built.
 */
function makeFirstStart() {
  const failed = Promise.withResolvers<never>();
  failed.promise.catch(() => {}); // it may fail before `succeeded` is called
  let isReady = false;
  return {
    gaveUp(role: string, how: string): boolean {
      if (isReady || how !== REJECTED_ITS_START) return false;
      failed.reject(new Error(`${role} cannot start: it has printed the reason`));
      return true;
    },
    async succeeded<T>(ready: Promise<T>): Promise<T> {
      const result = await Promise.race([ready, failed.promise]);
      isReady = true;
      return result;
    },
  };
}

/** `serving`: they can be used. The roles load meanwhile. */
async function startServers({
  config,
  dataDir,
  servers,
  runFile,
  log,
}: {
  config: Config;
  dataDir: string;
  servers: Group;
  runFile: ReturnType<typeof makeRunFile>;
  log: (line: string) => void;
}) {
  const finding = prepareServices({ ...config, dataDir, cacheDir, log });
  const prepared = await timed(log, "programs of MongoDB and Redis", finding);
  const startOne = async (service: typeof prepared.mongod): Promise<void> => {
    if (!service) return; // its URL is set
    const { name } = service;
    const adding = servers.add({ name, start: service.start, onPid: (pid) => runFile.setPid(name, pid) });
    await timed(log, name, adding);
  };
  const serving = withProgress(
    log,
    "starting MongoDB and Redis",
    Promise.all([prepared.mongod, prepared.redis].map(startOne)),
  );
  serving.catch(() => {}); // the start reports it
  return { ...prepared, serving };
}
