// The connection to MongoDB ends after a change was sent: the command line reports that its result is unknown.
import { describe, test } from "vitest";
import { openProxies } from "../../support/proxies.ts";
import { cliOn } from "../../support/cli.ts";
import { useWorld } from "../../support/use-api.ts";

const world = await useWorld();

describe.concurrent("a command whose response from MongoDB was lost", () => {
  test.for<[string, string, (clanId: string) => string[]]>([
    ["clan create", "commitTransaction", () => ["clan", "create", "made-by-nobody-knows"]],
    ["clan set", "commitTransaction", (clanId) => ["clan", "set", clanId, "--name", "New"]],
    ["member add", "insert", (clanId) => ["member", "add", clanId, "m"]],
    ["key create", "commitTransaction", (clanId) => ["key", "create", clanId, "--name", "k"]],
  ])("exits with code 3 and the next steps: %s", async ([, sent, args], { expect, onTestFinished }) => {
    const { clan } = await world.makeClan();
    const proxies = await openProxies(world);
    onTestFinished(() => proxies.close());
    const cli = cliOn({ MONGO_URL: proxies.config.mongoUrl, REDIS_URL: world.redisUrl });
    void proxies.mongo.cutAfter("there", { text: sent }, { andRejectOthers: true });
    const { exitCode, stderr } = await cli.run(...args(clan.clanId));
    expect(stderr).toMatch(/^clanxp: It is not known whether .* Check before you retry/);
    expect(exitCode).toBe(3);
  });
});
