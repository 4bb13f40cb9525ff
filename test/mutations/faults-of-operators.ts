// Realistic mistakes in the dashboard, the command line and deploy/, for test/mutate.ts.
import type { Fault } from "./fault.ts";

const SESSIONS = "libs/accounts/sessions.ts";
const RESET = "apps/cli/commands/reset.ts";

const DEPLOY = ["test/deploy", "test/scripts/workflows", "test/security/database-users"];

export const faultsOfOperators: readonly Fault[] = [
  {
    name: "another site of the same domain may change something",
    file: "apps/dashboard/http/require-same-origin.ts",
    from: 'site === undefined || site === "same-origin"',
    to: 'site === undefined || site !== "cross-site"',
    tests: ["test/apps/dashboard/access"],
  },
  {
    name: "a host whose name ends like the dashboard's is served",
    file: "apps/dashboard/http/require-own-host.ts",
    from: "url.host === own?.host ||",
    to: 'url.host.endsWith(own?.host ?? "/") ||',
    tests: ["test/apps/dashboard/access", "test/apps/dashboard/attacks.test"],
  },
  {
    name: "scripts may read the cookie of a session",
    file: "apps/dashboard/http/cookie.ts",
    from: "httpOnly: true",
    to: "httpOnly: false",
    tests: ["test/apps/dashboard/sign-in.test"],
  },
  {
    name: "a body that arrives after its sender's account was removed is accepted",
    file: "apps/dashboard/http/route.ts",
    from: "      if (!hasArrived) who = await admit(row, req, res, deps);\n",
    to: "",
    tests: ["test/apps/dashboard/access"],
  },
  {
    name: "another clan's destination is shown",
    file: "apps/dashboard/http/accepted-destination.ts",
    from: "if (shown?.clanId === clanId) return shown;",
    to: "if (shown) return shown;",
    tests: ["test/apps/dashboard/access", "test/apps/dashboard/attacks.test"],
  },
  {
    name: "sessions outlive a change of the password",
    file: SESSIONS,
    from: "return account?.generation === session.generation ? account : null;",
    to: "return account;",
    tests: ["test/apps/dashboard/sign-in.test", "test/apps/dashboard/clans-and-accounts"],
  },
  {
    name: "sessions do not expire",
    file: SESSIONS,
    from: "    if (session.expiresAt <= now) return null;\n",
    to: "",
    tests: ["test/apps/dashboard/sign-in.test"],
  },
  {
    name: "an invitation can be accepted by somebody else",
    file: "libs/accounts/sign-in.ts",
    from: "if (invitation.name !== name)",
    to: 'if (invitation.name === "")',
    tests: [
      "test/apps/dashboard/people.test",
      "test/apps/dashboard/clans-and-accounts",
      "test/apps/dashboard/passkey-invitations",
    ],
  },
  {
    name: "any password confirms a person",
    file: "libs/accounts/confirm-person.ts",
    from: 'return result.kind === "correct" ? { kind: "confirmed", account } : { kind: "wrong_password" };',
    to: 'return { kind: "confirmed", account };',
    tests: ["test/apps/dashboard/sign-in.test", "test/apps/dashboard/passkeys.test", "test/apps/dashboard/people.test"],
  },
  {
    name: "caches may store the dashboard's responses",
    file: "apps/dashboard/http/security-headers.ts",
    from: '    "Cache-Control": "no-store",\n',
    to: "",
    tests: ["test/apps/dashboard/access"],
  },
  {
    name: "a name that begins with a tabulator is exported as a formula",
    file: "libs/export/escape-formula.ts",
    from: "const FORMULAS = new RegExp(`${CELL_START}(?=${FORMULA})|^(?=${REMOVED})`",
    to: "const FORMULAS = new RegExp(`${CELL_START}(?=${FORMULA})`",
    tests: ["test/libs/export", "test/apps/cli/export", "test/security/injection"],
  },
  {
    name: "a viewer's navigation has what owners do",
    file: "apps/dashboard/web/pages.tsx",
    from: "mayAct(account, scope, clanId ?? null)",
    to: '(scope !== "operator" || account.operator)',
    tests: ["test/apps/dashboard/every-page"],
  },
  {
    name: "the last owner can be removed in the page",
    file: "apps/dashboard/web/pages/people/people-page.tsx",
    from: "owners.length === 1 ?",
    to: "owners.length === 0 ?",
    tests: ["test/apps/dashboard/people-browser"],
  },
  {
    name: "reset --keep takes negative numbers and texts",
    file: RESET,
    from: "percent < 0 || percent > 100",
    to: "percent > 100",
    tests: ["test/apps/cli/rejections"],
  },
  {
    name: "reset --dry-run takes the XP",
    file: RESET,
    from: "  if (options.dryRun) return previewed;\n",
    to: "",
    tests: ["test/apps/cli/reset"],
  },
  {
    name: "an export repeats the line of names on each page",
    file: "apps/cli/commands/export.ts",
    from: "          isFirst = false;\n",
    to: "",
    tests: ["test/apps/cli/export"],
  },
  {
    name: "batch cancel cannot run again",
    file: "apps/cli/commands/batch-cancel.ts",
    from: 'batch.state === "done" && !batch.cancelled',
    to: 'batch.state === "done"',
    tests: ["test/apps/cli/batch-cancel"],
  },
  {
    name: "an import takes a file that names a column twice",
    file: "libs/import/read-import.ts",
    from: "new Set(names).size < names.length",
    to: "names.length === 0",
    tests: ["test/apps/cli/import-formats"],
  },
  {
    name: "the user of the API may change entries of the ledger",
    file: "deploy/mongo/roles.js",
    from: "  ledger: APPEND,\n  members: WRITE,",
    to: "  ledger: WRITE,\n  members: WRITE,",
    tests: DEPLOY,
  },
  {
    name: "the alert about workers watches a job that does not exist",
    file: "deploy/prometheus/alerts.yml",
    from: 'absent(up{job="clanxp-worker"} == 1)',
    to: 'absent(up{job="clanxp-workers"} == 1)',
    tests: DEPLOY,
  },
];
