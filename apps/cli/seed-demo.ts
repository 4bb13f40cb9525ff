// Makes the demo clan of a first `npm start` and one key for it, kept in the file that the only argument names (mode 600).
// Run again it makes what is missing and nothing else.
import { writeFile } from "node:fs/promises";
import { existsSync } from "node:fs";
import { AMOUNT_MAX_DEFAULT, XP_MAX } from "#domain/bounds.ts";
import type { Clan } from "#domain/clan.ts";
import { SCOPES_DEFAULT } from "#domain/scope.ts";
import { systemClock } from "#runtime/clock.ts";
import { makeLog } from "#runtime/log.ts";
import { crc32, digest, randomText } from "#runtime/secrets.ts";
import { makeClanStore } from "#store/clan-store.ts";
import { openDatabase } from "#store/database.ts";
import { makeKeyStore } from "#store/key-store.ts";
import { makeCreateKey } from "#usecases/issue-key.ts";

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

const [keyFile] = process.argv.slice(2);
const mongoUrl = process.env["MONGO_URL"];
if (!keyFile || !mongoUrl) {
  process.stderr.write("usage: MONGO_URL=mongodb://… node apps/cli/seed-demo.ts KEY_FILE\n");
  process.exit(2);
}

const database = openDatabase({ url: mongoUrl, name: "clanxp-seed", log: makeLog({ name: "seed", level: "error" }) });
await database.ready;
try {
  const clans = makeClanStore(database);
  await clans.create(DEMO);
  if (!existsSync(keyFile)) {
    const createKey = makeCreateKey({ clans, keys: makeKeyStore(database), clock: systemClock, digest, crc32, randomText });
    const issued = await createKey({ clanId: DEMO.clanId, name: "demo", scopes: SCOPES_DEFAULT, expiresAt: null });
    if (issued.kind === "issued") await writeFile(keyFile, issued.secret, { mode: 0o600, flag: "wx" });
    else process.stderr.write(`No key was made for the clan demo: ${issued.detail}\n`);
  }
} finally {
  await database.close();
}
