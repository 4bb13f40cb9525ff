import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { nodeOptions } from "../../scripts/supervise/node-options.ts";

test.each(["api", "worker", "notifier"] as const)(
  "npm run %s gives Node the same memory options as npm start",
  (role) => {
    const { scripts } = JSON.parse(readFileSync("package.json", "utf8"));
    expect(scripts[role]).toContain(`exec node ${nodeOptions[role].join(" ")} apps/${role}/main.ts`);
  },
);

test("no script uses a path of Node that its shell cached before set-up", () => {
  const { scripts } = JSON.parse(readFileSync("package.json", "utf8")) as { scripts: Record<string, string> };
  const afterSetUp = Object.values(scripts).filter((script) => script.includes("&& exec "));
  expect(afterSetUp.length).toBeGreaterThan(0);
  for (const script of afterSetUp) expect(script).toContain("&& hash -r && exec node ");
});
