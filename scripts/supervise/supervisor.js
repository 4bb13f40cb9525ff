// Runs everything of one data folder: MongoDB and Redis, then API, worker and dashboard, each kept alive. What it has
// begun it can stop at any moment, half-way through a start as well: roles first, so that they drain while the servers
// are still there.

import { cacheDir, root } from "../paths.js";
import { buildPages } from "../dashboard/built-pages.js";
import { prepareServices } from "../services.js";
import { writeNote } from "../services/notes.js";
import { stopOrphan } from "../services/orphan.js";
import { setUp } from "../setup/set-up.js";
import { run } from "../system/run.js";
import { choosePorts } from "./choose-ports.js";
import { openDataFolder } from "./data-folder.js";
import { demoLink, seedDemoIfNew } from "./demo.js";
import { firstScreen } from "./first-screen.js";
import { makeGroup } from "./group.js";
import { untilReady } from "./ready.js";
import { roleEnv } from "./role-env.js";
import { startRole } from "./role.js";
import { makeRunFile } from "./run-file.js";
import { urlOf } from "./url-of.js";

// Together below the 15 s that a stop may take, npm's own time included.
const ROLE_GRACE_MS = 7_000;
const SERVER_GRACE_MS = 5_000;

/**
 * @param {{ config: import("./config.js").Config, log: (line: string) => void }} options
 */
export function makeSupervisor({ config, log }) {
  const servers = makeGroup(log);
  const roles = makeGroup(log);
  /** @type {(() => void)[]} */
  const closers = [];

  return {
    /** @returns {Promise<string>} the first screen */
    async start() {
      const { dataDir, close } = openDataFolder(config.dataDir);
      closers.push(close);
      for (const role of ["api", "worker", "dashboard"]) await stopOrphan(dataDir, role, log);
      const ports = await choosePorts(config);
      const { node } = await setUp({ root, cacheDir, log });

      const runFile = makeRunFile(dataDir);
      closers.unshift(runFile.remove);
      const [{ mongoUrl, redisUrl, mongod, redis }] = await Promise.all([
        startServers({ config, dataDir, node, servers, runFile, log }),
        buildPages({ node, log }),
      ]);
      await seedDemoIfNew({ dataDir, node, mongoUrl, log });

      const onPid = (/** @type {string} */ role) => (/** @type {number} */ pid) => {
        writeNote(dataDir, role, { pid });
        runFile.setPid(role, pid);
      };
      const baseUrl = urlOf(config.host, ports.port);
      const env = roleEnv({ config, ports, mongoUrl, redisUrl, baseUrl }, process.env);
      const dashboardUrl = config.dashboardUrl ?? urlOf(config.host, ports.dashboardPort);
      const opsHost = config.opsHost ?? config.host;
      const wanted = /** @type {const} */ ([
        ["api", ports.opsPort],
        ["worker", ports.workerOpsPort],
        ["dashboard", ports.dashboardOpsPort],
      ]);
      await Promise.all(
        wanted.map(([role]) =>
          roles.add({
            name: role,
            start: async (onLaunch) => onLaunch(startRole({ role, node, env: env[role] })),
            onPid: onPid(role),
          }),
        ),
      );
      const [link] = await Promise.all([
        demoLink({ dataDir, node, mongoUrl, dashboardUrl, log }),
        ...wanted.map(([role, port]) => untilReady(role, urlOf(opsHost, port), () => runFile.pidOf(role), log)),
      ]);

      const urls = { baseUrl, opsUrl: urlOf(opsHost, ports.opsPort), dashboardUrl, mongoUrl, redisUrl };
      runFile.publish(urls);
      const nodeVersion = (await run(node, ["--version"])).output.trim();
      return firstScreen({
        ...urls,
        link,
        dataDir,
        nodeVersion,
        mongod: mongod?.server,
        redis: redis?.server,
      });
    },

    async stop() {
      await roles.stop(ROLE_GRACE_MS);
      await servers.stop(SERVER_GRACE_MS);
      for (const close of closers) close();
    },
  };
}

/**
 * @param {object} options
 * @param {import("./config.js").Config} options.config
 * @param {string} options.dataDir
 * @param {string} options.node
 * @param {import("./group.js").Group} options.servers
 * @param {ReturnType<typeof makeRunFile>} options.runFile
 * @param {(line: string) => void} options.log
 */
async function startServers({ config, dataDir, node, servers, runFile, log }) {
  const prepared = await prepareServices({ ...config, dataDir, cacheDir, node, log });
  const starts = [prepared.mongod, prepared.redis].map(async (service) => {
    if (!service) return; // given by its URL
    const { name } = service;
    await servers.add({ name, start: service.start, onPid: (pid) => runFile.setPid(name, pid) });
  });
  await Promise.all(starts);
  return prepared;
}
