// Prints a one-time link token for the owner of the demo clan, whose account the first call creates. Prints nothing if
// there is no such clan, if an operator has removed the account, or while a link to set its password is pending.
import { makeAccountStore } from "#accounts/store/account-store.ts";
import { makeClanStore } from "#clans/store/clan-store.ts";
import { reachDatabase } from "#composition/open-database.ts";
import { makeCliAccounts } from "./open/credentials.ts";
import { silentLog } from "./open/servers.ts";

const OWNER = { name: "demo-owner", operator: false, grants: [{ clanId: "demo", role: "owner" }] } as const;
/** Long enough for servers that were just started. */
const REACH_MS = 20_000;

const mongoUrl = process.env["MONGO_URL"];
const [mayCreate] = process.argv.slice(2);
if (!mongoUrl) {
  process.stderr.write("usage: MONGO_URL=mongodb://… node apps/cli/demo-link.ts [create]\n");
  process.exit(2);
}

const database = await reachDatabase({
  url: mongoUrl,
  name: "clanxp-demo-link",
  log: silentLog,
  withinMs: REACH_MS,
  prepare: true,
});
try {
  const accounts = makeCliAccounts({ accounts: makeAccountStore(database), clans: makeClanStore(database) });
  const created =
    mayCreate === "create" ? await accounts.invite({ ...OWNER, grants: [...OWNER.grants] }, null, "sign-in") : null;
  const invited = created?.kind === "invited" ? created : await accounts.signInLink(OWNER.name);
  if (invited.kind === "invited") process.stdout.write(`${invited.token}\n`);
} finally {
  await database.close();
}
