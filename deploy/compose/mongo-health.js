// The health of the compose file's MongoDB, asked by mongosh inside its container: exit 0 when this is a primary that knows the user.
// At the first start it makes the replica set and the users, which MongoDB allows only from here and only while there are none.

const fs = require("node:fs");

const passwordIn = (name) => fs.readFileSync(`/run/clanxp/${name}`, "utf8").trim();
const admin = new Mongo("mongodb://127.0.0.1:27017/?directConnection=true").getDB("admin");

if (!admin.hello().setName) {
  // The service's name, which stays when the container is made anew.
  admin.runCommand({ replSetInitiate: { _id: "rs0", members: [{ _id: 0, host: "mongo:27017" }] } });
}
// A set of one elects itself within moments; waited for here, since the next health check follows seconds later.
for (let tries = 0; tries < 50 && !admin.hello().isWritablePrimary; tries += 1) sleep(200);
if (!admin.hello().isWritablePrimary) quit(1);
if (!logIn("clanxp", "password")) makeUsers();

function makeUsers() {
  try {
    admin.createUser({ user: "admin", pwd: passwordIn("admin-password"), roles: ["root"] });
  } catch {
    // It was made by an earlier call that got no further.
  }
  if (!logIn("admin", "admin-password")) quit(1);
  // Its own database, and for `clanxp doctor` a look at the replica set and its settings.
  const roles = [{ role: "readWrite", db: "clanxp" }, { role: "dbAdmin", db: "clanxp" }, "clusterMonitor"];
  admin.createUser({ user: "clanxp", pwd: passwordIn("password"), roles });
}

function logIn(user, name) {
  try {
    return admin.auth(user, passwordIn(name)).ok === 1;
  } catch {
    return false;
  }
}
