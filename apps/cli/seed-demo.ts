// Creates the demo clan of a first `npm start` and one key for it, in the file that the only argument names (mode 600).
// When it runs again, it only creates what is missing.
import { readFile, rename, writeFile } from "node:fs/promises";
import { AMOUNT_MAX_DEFAULT, XP_MAX } from "#domain/bounds.ts";
import type { Actor } from "#domain/audit.ts";
import type { Clan } from "#domain/clan.ts";
import { SCOPES_DEFAULT } from "#domain/scope.ts";
import { makeClanStore } from "#clans/store/clan-store.ts";
import { reachDatabase } from "#composition/open-database.ts";
import { makeKeyStore } from "#keys/store/key-store.ts";
import { makeIssueKeys } from "./open/credentials.ts";
import { silentLog } from "./open/servers.ts";

const DEMO: Clan = {
  clanId: "demo",
  name: "Demo",
  autoClan: true,
  ranks: [
    { name: "Guest", kind: "GUEST" },
    { name: "Recruit", kind: "NORMAL", threshold: 100n },
    { name: "Veteran", kind: "NORMAL", threshold: 1000n },
    { name: "Elite", kind: "NORMAL", threshold: 10000n },
  ],
  xpFloor: 0n,
  xpCap: XP_MAX,
  amountMax: AMOUNT_MAX_DEFAULT,
};

const BY: Actor = { actor: "npm start", via: "cli" };

/** A server that has just been started may need some time. */
const REACH_MS = 20_000;

const [keyFile] = process.argv.slice(2);
const mongoUrl = process.env["MONGO_URL"];
if (!keyFile || !mongoUrl) {
  process.stderr.write("usage: MONGO_URL=mongodb://… node apps/cli/seed-demo.ts KEY_FILE\n");
  process.exit(2);
}

const database = await reachDatabase({
  url: mongoUrl,
  name: "clanxp-seed",
  log: silentLog,
  withinMs: REACH_MS,
  prepare: true,
});
try {
  const clans = makeClanStore(database);
  const { createKey } = makeIssueKeys({ clans, keys: makeKeyStore(database) });
  // Atomically, and never over an existing clan.
  await clans.create(DEMO, BY);
  if ((await readFile(keyFile, "utf8").catch(() => "")) === "") {
    const issued = await createKey({ clanId: DEMO.clanId, name: "demo", scopes: SCOPES_DEFAULT, expiresAt: null }, BY);
    if (issued.kind === "issued") await writeAtomically(keyFile, issued.secret);
    else process.stderr.write(`No API key was created for the clan demo: ${issued.detail}\n`);
  }
} finally {
  await database.close();
}

/** The whole key or none: a process that is killed meanwhile must not leave a file without one. */
async function writeAtomically(file: string, text: string): Promise<void> {
  const draft = `${file}.draft`;
  await writeFile(draft, text, { mode: 0o600 });
  await rename(draft, file);
}
