// A mongod that asks for passwords. Its users are `root`, as whom the tests look and interfere, and one for each role
// of the product's processes, who may do in every database what deploy/mongo/roles.js permits in the product's.
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Kind } from "../../scripts/services/service.ts";
import { mongod } from "../../scripts/services/mongod.ts";
import { makeFirstUser } from "./first-user.ts";
import { applyRoles, createUserFor } from "./mongo-roles.ts";

/**
 * Each test file has a database with some 90 files of collections and indexes. By default, MongoDB keeps those that
 * nothing uses open for ten minutes: for longer than the whole run, which exceeds a limit of 20,000 open files.
 */
const CLOSE_FILES = "close_idle_time=15,close_scan_interval=5,close_handle_minimum=500";

const ROLES = ["clanxp", "clanxpOperator", "clanxpNotifier"] as const;

/** The same database as `root`, and as each role's processes reach it. */
export type MongoUrls = Record<"root" | (typeof ROLES)[number], string>;

export function makeGuardedMongod(): { kind: Kind; urlsOf(mongoUrl: string): MongoUrls } {
  const password = randomBytes(16).toString("hex");
  let isGuarded = false;

  async function makeUsers(port: number): Promise<void> {
    await makeFirstUser({ port, password }, async (client) => {
      await applyRoles(client, "", "admin");
      for (const role of ROLES) await createUserFor(client, { role, storedIn: "admin", pwd: password });
    });
  }

  const kind: Kind = {
    ...mongod,
    args(at) {
      // From outside a container nobody can make the first user.
      isGuarded = !at.inContainer;
      if (!isGuarded) return mongod.args(at);
      const keyFile = join(at.dataDir, "mongo-key");
      writeFileSync(keyFile, `${password}\n`, { mode: 0o600 });
      return [
        mongod.args(at),
        ["--auth", "--keyFile", keyFile, "--setParameter", "scramSHA256IterationCount=5000"],
        ["--wiredTigerEngineConfigString", `file_manager=(${CLOSE_FILES})`],
      ].flat();
    },
    async whenReady(at) {
      if (!isGuarded) return mongod.whenReady(at);
      const ended = once(at.ended, "abort").then(() => at.ended.throwIfAborted());
      await Promise.race([makeUsers(at.port), ended]);
    },
  };

  function as(user: string, mongoUrl: string): string {
    const url = new URL(mongoUrl);
    Object.assign(url, { username: user, password });
    url.searchParams.set("authSource", "admin");
    return url.href;
  }
  return {
    kind,
    urlsOf(url) {
      const urlAs = (user: string): string => (isGuarded ? as(user, url) : url);
      return {
        root: urlAs("root"),
        clanxp: urlAs("clanxp"),
        clanxpOperator: urlAs("clanxpOperator"),
        clanxpNotifier: urlAs("clanxpNotifier"),
      };
    },
  };
}
