import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { nodeOptions } from "../../scripts/supervise/node-options.ts";

test.each(["api", "worker"])("npm run %s gives Node the memory that npm start does", (role) => {
  const { scripts } = JSON.parse(readFileSync("package.json", "utf8"));
  expect(scripts[role]).toContain(`exec node ${nodeOptions.join(" ")} apps/${role}/main.ts`);
});
