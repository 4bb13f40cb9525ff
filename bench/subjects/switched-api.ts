// The API with one part switched, for the bench alone; in everything else it starts as apps/api/main.ts does.
import { noLock } from "#lock/no-lock.ts";
import { rejectEvictingRedis } from "#redis/connection.ts";
import { loadConfigOrExit } from "#process/config.ts";
import { makeLog } from "#process/log.ts";
import { onShutdown } from "#process/shutdown.ts";
import type { Ledger } from "#ledger/ledger.ts";
import { startApi } from "../../apps/api/compose.ts";

const config = loadConfigOrExit(process.env);
const log = makeLog({ name: "api", level: config.logLevel });
await rejectEvictingRedis({ url: config.redisUrl, log });
/** The awards of these APIs have no events. */
const withoutEvents = (ledger: Ledger) => ({
  ...ledger,
  submit: (...[award, deadlineMs]: Parameters<Ledger["submit"]>) =>
    ledger.submit({ ...award, silent: true }, deadlineMs),
});
const PARTS = {
  "no-lock": { lock: noLock },
  "no-events": { committer: withoutEvents },
} as const;
const part = PARTS[process.env["BENCH_PART"] as keyof typeof PARTS];
const api = await startApi({ config, log, ...part });
onShutdown(api.close, log);
