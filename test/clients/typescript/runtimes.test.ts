// The client runs wherever `fetch` does, and every bundler can resolve it.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { root } from "../../../scripts/paths.js";
import { ClanXp } from "../../../clients/typescript/src/index.ts";
import { nowhere } from "./nowhere.ts";

test("no file of the client imports a module of a runtime", () => {
  const folder = join(root, "clients/typescript/src");
  const imports = readdirSync(folder).flatMap((file) => [
    ...readFileSync(join(folder, file), "utf8").matchAll(
      /\b(?:from |import |import\(|require\(|module )"([^".][^"]*)"/g,
    ),
  ]);
  expect(imports.map(([, name]) => name)).toStrictEqual([]);
});

test.each([
  ["with", globalThis.crypto],
  ["without", undefined],
])("awards have different UUIDs as keys %s a global crypto", async (_name, crypto) => {
  vi.stubGlobal("crypto", crypto);
  onTestFinished(() => void vi.unstubAllGlobals());
  const keys: unknown[] = [];
  const clan = new ClanXp({
    ...nowhere,
    retries: 0,
    fetch: async (_url, init) => {
      keys.push(new Headers(init?.headers).get("idempotency-key"));
      throw new Error("unreachable");
    },
  });
  for (let sent = 0; sent < 3; sent += 1) await clan.award("p", 5).catch(() => {});
  expect(new Set(keys).size).toBe(3);
  for (const key of keys) expect(key).toMatch(/^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
});
