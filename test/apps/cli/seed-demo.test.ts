// The demo clan of a first `npm start`, made by a process that may be killed anywhere and run again.
import { execFile } from "node:child_process";
import { readdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { expectResponse } from "../../support/responses.ts";
import { callerOf } from "../../support/http.ts";
import { tempDir } from "../../support/temp-dir.ts";
import { useApi } from "../../support/use-api.ts";

const { world, port } = await useApi();

test("seeding the demo clan completes an empty key file of a killed start, and keeps it afterwards", async () => {
  const folder = tempDir();
  const keyFile = join(folder, "demo-key");
  const seed = () =>
    promisify(execFile)(process.execPath, ["apps/cli/seed-demo.ts", keyFile], {
      env: { ...process.env, MONGO_URL: world.mongoUrl },
    });
  await writeFile(keyFile, "");
  await seed();
  const key = await readFile(keyFile, "utf8");
  expectResponse("read-clan", await callerOf(port, key).get("/v0/clans/demo"));
  expect((await stat(keyFile)).mode & 0o777).toBe(0o600);

  await seed();
  expect(await readFile(keyFile, "utf8")).toBe(key);
  expect(await readdir(folder)).toStrictEqual(["demo-key"]);
});
