// Creates or updates the roles of Clan XP's database users in the current database, and the one collection that none of
// them can change the indexes of. For mongosh, as an administrator; run it again before each upgrade
// (docs/how-to/database-users.md):
//   mongosh "mongodb://admin@localhost:27017/clanxp?authSource=admin" --file deploy/mongo/roles.js
// Roles: `clanxp` for the API and the dashboard, `clanxpOperator` for workers and the command line, `clanxpNotifier` for
// notifiers, `clanxpDoctor` for `clanxp doctor`.

const READ = ["find", "listIndexes"];
const APPEND = [...READ, "insert"];
const WRITE = [...APPEND, "update"];
const ALL = [...WRITE, "remove"];
const PREPARE = ["createCollection", "createIndex", "collStats"];

/**
 * What the API and the dashboard do. They delete no data of members: ledger and audit log only grow. The dashboard
 * records that a member is to be erased, and a worker does it.
 */
const serving = {
  accounts: WRITE,
  // Hours of the ledger that the dashboard has counted; an erasure makes them void.
  activity: WRITE,
  audit: APPEND,
  batches: WRITE,
  boards: ALL,
  budgets: WRITE,
  // What people ask notifiers to do.
  calls: ALL,
  clans: WRITE,
  deletions: READ,
  deliveries: WRITE,
  destinations: ALL,
  discord_stops: READ,
  // Those of Roblox, which the API stores.
  erasure_requests: WRITE,
  erasures: WRITE,
  events: READ,
  // Counts of who gained how much in a span; they expire.
  gains: WRITE,
  hooks: WRITE,
  keys: WRITE,
  ledger: APPEND,
  members: WRITE,
  meta: WRITE,
  names: ALL,
  notifiers: READ,
  outbox: APPEND,
  // Those of a board that a person removes.
  periods: ALL,
  processes: ALL,
  reversals: WRITE,
  sessions: ALL,
  sign_in_attempts: ALL,
  sign_in_challenges: ALL,
  // Addresses of public pages.
  slugs: ALL,
  standings: WRITE,
  // Those of a destination that a person removes.
  syncs: [...READ, "remove"],
};

/** Beside that, workers and the command line erase members, delete clans, create collections and indexes, and measure their sizes. */
const operating = Object.fromEntries(Object.keys(serving).map((collection) => [collection, PREPARE]));
Object.assign(operating, {
  // Neither update nor remove, and no index: an index with an expiry would delete records.
  audit: ["collStats"],
  // Entries of an erased member are deleted, in a transaction that writes to the entry that closes the member's chain;
  // other members' reversals lose reasons that name the member.
  ledger: [...PREPARE, "update", "remove"],
  // The records of deleted clans stay.
  deletions: [...PREPARE, "insert", "update"],
  ...Object.fromEntries(
    [
      "activity",
      "batches",
      "budgets",
      "clans",
      "deliveries",
      "discord_stops",
      "erasure_requests",
      "erasures",
      "gains",
      "hooks",
      "keys",
    ].map((name) => [name, [...PREPARE, "remove"]]),
  ),
  // Workers number events, and delete them by age and for erasures.
  events: [...PREPARE, "insert", "update", "remove"],
  outbox: [...PREPARE, "update", "remove"],
  members: [...PREPARE, "remove"],
  reversals: [...PREPARE, "remove"],
  // Standings of erased members, of removed boards, and those that were replaced or are old.
  standings: [...PREPARE, "remove"],
});

/**
 * What notifiers do: they reach strangers, so they write nothing that changes XP, members, keys or accounts. Of every
 * other collection they only see whether its indexes exist, as each process does at its start.
 */
const notifying = {
  ...Object.fromEntries(Object.keys(serving).map((collection) => [collection, ["listIndexes"]])),
  calls: [...READ, "update"],
  clans: READ,
  deliveries: ALL,
  destinations: [...READ, "update"],
  discord_stops: WRITE,
  events: READ,
  // The members' present ranks.
  ledger: READ,
  members: READ,
  meta: READ,
  names: READ,
  notifiers: ALL,
  // The event that a destination was disabled.
  outbox: APPEND,
  syncs: ALL,
};

const resourceOf = (collection) => ({ db: db.getName(), collection });
const rightsOn = (rights) =>
  Object.entries(rights).map(([collection, actions]) => ({ resource: resourceOf(collection), actions }));

function setRole(database, name, privileges, roles) {
  const known = database.runCommand({ rolesInfo: name });
  const command = known.roles.length > 0 ? "updateRole" : "createRole";
  database.runCommand({ [command]: name, privileges, roles });
  print(`${command} ${name}`);
}

// As libs/audit/store/audit-model.ts declares them.
const newestFirst = { at: -1, _id: -1 };
const auditFilters = [[], ["clanId"], ["actor"], ["action"], ["clanId", "actor"], ["clanId", "action"]];
const auditIndexes = auditFilters.map((fields) => ({
  ...Object.fromEntries(fields.map((field) => [field, 1])),
  ...newestFirst,
}));
const nameOf = (key) => Object.entries(key).flat().join("_");
db.runCommand({ createIndexes: "audit", indexes: auditIndexes.map((key) => ({ key, name: nameOf(key) })) });

setRole(db, "clanxp", rightsOn(serving), []);
setRole(db, "clanxpOperator", rightsOn(operating), ["clanxp"]);
setRole(db, "clanxpNotifier", rightsOn(notifying), []);
// Reads the server's parameters and nothing else: doctor judges the time limit of transactions.
setRole(db.getSiblingDB("admin"), "clanxpDoctor", [{ resource: { cluster: true }, actions: ["getParameter"] }], []);
