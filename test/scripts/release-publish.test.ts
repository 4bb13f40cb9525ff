import { mkdirSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { json } from "node:stream/consumers";
import { afterEach, expect, onTestFinished, test, vi } from "vitest";
import { cacheDir } from "../../scripts/paths.js";
import type { Context } from "../../scripts/release/part.ts";
import { npm } from "../../scripts/release/parts/npm.ts";
import { runNpm } from "../../scripts/release/run-npm.ts";
import { findToolchain } from "../../scripts/setup/toolchain.js";
import { listen } from "../support/listen.ts";
import { tempDir } from "../support/temp-dir.ts";

type Packument = { versions: Record<string, unknown> };

afterEach(() => vi.unstubAllEnvs());

/** A package registry for one package, as far as npm uses it. */
async function registryFor(scope: string): Promise<{ published: () => string[] }> {
  let stored: Packument | undefined;
  const server = createServer((request, response) => {
    const answer = (): void => {
      response.writeHead(stored ? 200 : 404, { "content-type": "application/json" });
      response.end(JSON.stringify(stored ?? { error: "not found" }));
    };
    if (request.method !== "PUT") return answer();
    void (json(request) as Promise<Packument>).then((body) => {
      stored = { ...body, versions: { ...stored?.versions, ...body.versions } };
      answer();
    });
  });
  onTestFinished(() => void server.close());
  const host = `127.0.0.1:${await listen(server)}`;
  vi.stubEnv(`npm_config_${scope}:registry`, `http://${host}/`);
  vi.stubEnv(`npm_config_//${host}/:_authToken`, "a-token");
  return { published: () => Object.keys(stored?.versions ?? {}) };
}

test("a version of the npm package is published once, and other content needs another version", async () => {
  const registry = await registryFor("@clanxp");
  const log = (): void => {};
  const { npm: npmCli } = await findToolchain({ cacheDir, log });
  const [source, out] = [tempDir(), tempDir()];
  const pack = async (version: string, content: string): Promise<{ context: Context; files: string[] }> => {
    mkdirSync(source, { recursive: true });
    writeFileSync(join(source, "package.json"), JSON.stringify({ name: "@clanxp/client", version }));
    writeFileSync(join(source, "index.js"), content);
    await runNpm(npmCli, ["pack", "--pack-destination", out], source);
    const versions = { service: "1.0.0", luau: "1.0.0", typescript: version };
    const tool: Context["tool"] = async () => ({ reason: "not needed" });
    const checkout = { source, gitDir: "", commit: "", committedAt: 0 };
    return {
      context: { ...checkout, out, versions, env: {}, tool, npmCli, log },
      files: [`clanxp-client-${version}.tgz`],
    };
  };
  const publish = async (version: string, content: string): Promise<string | undefined> => {
    const { context, files } = await pack(version, content);
    return npm.publish?.(context, files);
  };

  expect(await publish("3.0.0", "one")).toBe("@clanxp/client@3.0.0, without provenance");
  expect(await publish("3.0.0", "one")).toBe("@clanxp/client@3.0.0, which was published before with the same content");
  await expect(publish("3.0.0", "two")).rejects.toThrow("already published with other content");
  expect(registry.published()).toStrictEqual(["3.0.0"]);
});
