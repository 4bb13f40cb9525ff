// The health of the compose file's MongoDB, asked by mongosh inside its container: exit 0 when this is a primary that
// knows the user. At the first start it makes the replica set and the users, which MongoDB allows only from here and
// only while there are none. The user's roles are set at each start of the container, and again when roles.js has
// changed.

const fs = require("node:fs");

const ROLES = "/etc/clanxp/mongo/roles.js";
/** The script that was applied last; in memory, so that nothing is supposed of another container's database. */
const APPLIED = "/tmp/clanxp-roles.js";
const DATABASE = "clanxp";

const passwordIn = (name) => fs.readFileSync(`/run/clanxp/${name}`, "utf8").trim();
const admin = new Mongo("mongodb://127.0.0.1:27017/?directConnection=true").getDB("admin");

if (!admin.hello().setName) {
  // The service's name, which stays when the container is made anew.
  admin.runCommand({ replSetInitiate: { _id: "rs0", members: [{ _id: 0, host: "mongo:27017" }] } });
}
// A set of one elects itself within moments; waited for here, since the next health check follows seconds later.
for (let tries = 0; tries < 50 && !admin.hello().isWritablePrimary; tries += 1) sleep(200);
if (!admin.hello().isWritablePrimary) quit(1);

const script = fs.readFileSync(ROLES, "utf8");
if (!fs.existsSync(APPLIED) || fs.readFileSync(APPLIED, "utf8") !== script) {
  if (!logIn("admin", "admin-password")) {
    admin.createUser({ user: "admin", pwd: passwordIn("admin-password"), roles: ["root"] });
    if (!logIn("admin", "admin-password")) quit(1);
  }
  // The script's `db`.
  db = admin.getSiblingDB(DATABASE);
  load(ROLES);
  const operator = { role: "clanxpOperator", db: DATABASE };
  // For all processes, since the command line runs in the API's container.
  setUser("clanxp", "password", [operator, { role: "clanxpDoctor", db: "admin" }]);
  // For the API and the dashboard where API_SECRETS says so.
  setUser("clanxp-api", "api-password", [{ role: "clanxp", db: DATABASE }]);
  setUser("clanxp-notifier", "notifier-password", [{ role: "clanxpNotifier", db: DATABASE }]);
  fs.writeFileSync(APPLIED, script);
}
if (!logIn("clanxp", "password")) quit(1);

function setUser(user, name, roles) {
  if (admin.getUser(user)) admin.updateUser(user, { roles });
  else admin.createUser({ user, pwd: passwordIn(name), roles });
}

function logIn(user, name) {
  try {
    return admin.auth(user, passwordIn(name)).ok === 1;
  } catch {
    return false;
  }
}
