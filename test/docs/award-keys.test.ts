import { globSync } from "node:fs";
import { expect, test } from "vitest";
import { root } from "../../scripts/paths.js";
import { blocksOf, pages, readPage } from "../support/docs-page.ts";

const REQUEST = /\/(?:members\/[^/ ]+\/xp|xp|awards)(?:\?\S*)?" /;
const CALL = /(?:\.award|\.add|:Award|:AwardAsync)\(/;
const KEY = /Idempotency-Key: |"idempotencyKey": |\b(?:[Cc]ause|[Ii]dempotencyKey)\b/;

/** What a reader would copy: each request of a shell block, each line of a program. */
function awardsIn(language: string, text: string): string[] {
  if (language === "sh")
    return text.split(/(?=\bcurl )/).filter((part) => part.startsWith("curl ") && REQUEST.test(part));
  return ["js", "ts", "lua", "luau"].includes(language) ? text.split("\n").filter((line) => CALL.test(line)) : [];
}

test("every example that awards XP names the award, so that a copy of it can be repeated", () => {
  const examples = globSync("clients/*/example/*.luau", { cwd: root });
  const guides = [...pages, ...globSync("clients/*/README.md", { cwd: root })];
  const awards = [
    ...examples.flatMap((file) => awardsIn("luau", readPage(file)).map((award) => [file, award])),
    ...guides.flatMap((page) =>
      blocksOf(readPage(page)).flatMap(({ language, text }) => awardsIn(language, text).map((award) => [page, award])),
    ),
  ];
  expect(awards.length).toBeGreaterThan(15);
  expect(awards.filter(([, award = ""]) => !KEY.test(award))).toStrictEqual([]);
});
