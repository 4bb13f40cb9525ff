// `npm start`: runs the API, worker, notifier, dashboard, MongoDB and Redis on this machine until it receives a signal. Exits
// with code 0 after a requested stop, and with code 1 if it could not start; in both cases no process is left.

import { collectStartUp } from "#process/garbage-collection.ts";
import { compiledDir } from "../paths.js";
import { buildSite } from "../docs-site/built-site.ts";
import { readConfig, type Config } from "./config.ts";
import { firstScreen, shownFolder } from "./first-screen.ts";
import { makeSupervisor } from "./supervisor.ts";
import { messageOf } from "../system/message-of.js";
import { sayTime } from "../system/progress.js";

const HELP = `npm start: runs Clan XP on this machine: API, worker, notifier, dashboard,
MongoDB and Redis.

Settings, from the environment (<NAME>_FILE reads a value from a file):
  HOST       where the API listens              127.0.0.1
  PORT       of the API; 0 picks a free one     8080
  OPS_PORT   health and metrics; 0 picks one    9090, or a free one
  OPS_HOST   where that listens                 HOST
  DASHBOARD_PORT  of the dashboard              8081, or a free one
  DASHBOARD_URL   what people type for it       http://localhost:DASHBOARD_PORT
  DATA_DIR   all stored data                    .data
  MONGO_URL  a MongoDB replica set elsewhere    started here
  REDIS_URL  a Redis elsewhere                  started here
  LOG_LEVEL  trace to fatal, or silent          info; on a terminal warn

npm start -- --verbose shows what each process logs from level info, and why a
server was not taken from elsewhere. npm start -- --timings shows how long each
step of the start took.

Ctrl-C stops it. Acknowledged awards survive a restart.
`;

const log = (line: string) => console.error(`clanxp: ${line}`);

// If the reader of its output exits (npm start | head), it continues.
process.stdout.on("error", () => {});
process.stderr.on("error", () => {});

await main();

async function main() {
  const args = process.argv.slice(2);
  const isVerbose = args.includes("--verbose");
  if (!args.every((arg) => arg === "--verbose" || arg === "--timings")) {
    const isHelp = args.every((arg) => arg === "--help" || arg === "-h");
    (isHelp ? process.stdout : process.stderr).write(
      isHelp ? HELP : `npm start takes no arguments but --verbose, --timings and --help.\n\n${HELP}`,
    );
    process.exitCode = isHelp ? 0 : 1;
    return;
  }
  const answer = readConfig(process.env, process.stdout.isTTY && !isVerbose ? "warn" : "info");
  if ("faults" in answer) {
    console.error(["The settings are not usable:", ...answer.faults.map((fault) => `  ${fault}`)].join("\n"));
    process.exitCode = 1;
    return;
  }
  await supervise(answer.config, isVerbose);
}

async function supervise(config: Config, isVerbose: boolean) {
  // For every Node process that it starts: they share a compile cache.
  process.env["NODE_COMPILE_CACHE"] ??= compiledDir;
  const supervisor = makeSupervisor({ config, log });
  let stopping: Promise<void> | undefined;
  const stop = (exitCode: number) => {
    stopping ??= supervisor.stop().then(
      () => {
        // A terminal has just shown ^C.
        if (exitCode === 0)
          console.log(
            `${process.stdout.isTTY ? "\n" : ""}Stopped. Data is in ${shownFolder(config.dataDir)}; npm start continues.`,
          );
        process.exit(exitCode);
      },
      (error) => {
        log(`stopping failed: ${error.message}`);
        process.exit(1);
      },
    );
    return stopping;
  };
  for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"])
    process.removeAllListeners(signal).on(signal, () => void stop(0));
  // The set-up of a first start runs in a separate process, which waits for this one. If it is killed, this process
  // stops.
  process.once("disconnect", () => void stop(0));
  if ("connected" in process && !process.connected) void stop(0);
  process.on("uncaughtException", (error) => {
    log(`${error.stack}`);
    void stop(1);
  });
  try {
    sayTime(log, "loading this program", 0);
    const screen = await supervisor.start();
    if (stopping) return;
    // On this process's clock: the set-up of a first start ran in another one.
    sayTime(log, "the whole start", Number(process.env["CLANXP_START_MS"]) - performance.timeOrigin);
    console.log(firstScreen(screen, { forPeople: process.stdout.isTTY, isVerbose }));
    collectStartUp();
    if (process.stdout.isTTY) await buildDocs(`${screen.baseUrl}/docs`);
  } catch (error) {
    if (!stopping) console.error(messageOf(error));
    await stop(1);
  }
}

/**
 * On a terminal somebody is going to read the documentation, and the first start does not wait for it: until the site
 * is built, the API serves plain pages. A service that starts with the machine is left alone.
 */
async function buildDocs(url: string) {
  try {
    if (await buildSite(log)) log(`the documentation site is built: ${url}`);
  } catch (error) {
    log(`${messageOf(error)}\n${url} has plain pages.`);
  }
}
