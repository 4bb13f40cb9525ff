// The suites: the projects whose names begin with "long" are `npm run test:long`, the others `npm test`.
import { defineConfig } from "vitest/config";
import { FileOrder } from "./test/support/file-order.ts";

const common = {
  setupFiles: process.env["TEST_TIMINGS"] ? ["./test/support/timings.ts"] : [],
  // A worker keeps the modules that it has loaded for its next file: loading them costs more CPU than most files'
  // tests. Nothing may depend on state at module level, which no file may leave behind.
  isolate: false,
  // Far from what any test needs on its own: beside four others, a test takes a multiple.
  testTimeout: 120_000,
  hookTimeout: 180_000,
  restoreMocks: true,
  // The report names every violation that was found, not how many there are.
  chaiConfig: { truncateThreshold: 0 },
  // An event that is waited for may take as long as the test; vitest's own second is a statement about the machine.
  expect: { poll: { timeout: 100_000, interval: 100 } },
} as const;

/**
 * Where requests for a member meet: repeated, concurrent, or run by several workers. The long part runs them without the
 * lock and with a faulty one, too; in `npm test`, the simulation does the same.
 */
const contended = [
  "test/api/{apply-award,apply-awards,submit-batch}/replay.test.ts",
  "test/api/submit-reversal/202.test.ts",
  "test/apps/worker/{delivery,lost-record}.test.ts",
];

/**
 * `npm run test:long`: what starts servers, the whole service or foreign tools again and again. The faults of real
 * processes under load are in `npm test`.
 */
const long = [
  "test/faults/!(process-faults).test.ts",
  "test/api/list-standings/final.test.ts",
  "test/{deploy,tls}/**/*.test.ts",
  "test/scripts/{backup,fresh-clone,release*,run-tests,start}.test.ts",
  "test/ops/{garbage-collection,logs,metrics*,rejection-log,traces}.test.ts",
  "test/security/{canaries,connections,crashes,destination-secrets,guessed-keys,schemathesis}.test.ts",
  "test/libs/boards/summaries-of-a-year.test.ts",
  "test/libs/mongo/{lost-operation,schema-version,shard-key*}.test.ts",
  "test/clients/luau/!(awards|real-api).test.ts",
  "test/clients/typescript/package.test.ts",
  "test/apps/cli/{installed-command,unknown-outcome}.test.ts",
  "test/docs/commands.test.ts",
  "bench/command-line.test.ts",
];

/** Many more histories than in `npm test`: those that follow. */
const simulations = ["test/simulation/{boards,delivery/delivery}.test.ts"];
const manyHistories = { SIMULATE_FROM: "1001", SIMULATE_HISTORIES: "20000", SIMULATE_MINUTES: "4" };

const measurements = ["bench/guard.test.ts"];

/** They fill the service beyond its bounds, and hold its answers against others of the same moment. */
const underLoad = ["test/load/**/*.test.ts"];

/** They replace every timer of their process and count what is left: no other file may have run in it. */
const ownProcess = ["test/clients/typescript/queue*.test.ts", "test/libs/telemetry/metrics/cached-value.test.ts"];

/**
 * They replace timers and open no connections, so they share processes with each other alone: a client of Redis that
 * another file left behind would try to reconnect on the replaced timers, endlessly.
 */
const noConnections = [
  "test/simulation/**/*.test.ts",
  "test/libs/async/**/*.test.ts",
  "test/libs/awards/**/*.test.ts",
  "test/libs/ledger/**/*.test.ts",
  "test/libs/reversals/pace-reversals.test.ts",
  "test/api/stalled-body.test.ts",
];

export default defineConfig({
  test: {
    globalSetup: "./test/support/global-setup.ts",
    // Two cores carry the servers too. Many files mostly wait, for a timeout, a restart or a page: with three at a time,
    // `npm test` used 1.2 of the cores and took 13 minutes, with five it takes 7, and with seven hardly less.
    maxWorkers: 5,
    sequence: { sequencer: FileOrder },
    // Node loads tests and product as it loads the product everywhere else, and keeps what it compiled from one process
    // to the next. No module is mocked, for which alone the loader of vitest is.
    experimental: { viteModuleRunner: false, nodeLoader: false },
    reporters: ["default"],
    projects: [
      ...(["off", "chaos"] as const).map((lock) => ({
        extends: true as const,
        test: { ...common, name: `long-lock-${lock}`, include: contended, env: { TEST_LOCK: lock } },
      })),
      {
        extends: true,
        test: {
          ...common,
          name: "rest",
          include: ["{test,bench}/**/*.test.ts"],
          exclude: [
            ...long,
            ...measurements,
            ...underLoad,
            ...ownProcess,
            ...noConnections,
            "test/tidy/fixtures/**",
            "test/containers/**",
          ],
        },
      },
      { extends: true, test: { ...common, name: "no-connections", include: noConnections } },
      { extends: true, test: { ...common, name: "own-process", include: ownProcess, isolate: true } },
      { extends: true, test: { ...common, name: "long", include: long } },
      { extends: true, test: { ...common, name: "long-simulation", include: simulations, env: manyHistories } },
      // Once the others have ended: dozens of their processes share the cores with the service.
      {
        extends: true,
        test: { ...common, name: "long-alone-load", include: underLoad, sequence: { groupOrder: 1 } },
      },
      // Speed is measured once everything else has ended.
      {
        extends: true,
        test: { ...common, name: "long-alone-speed", include: measurements, sequence: { groupOrder: 2 } },
      },
    ],
  },
});
