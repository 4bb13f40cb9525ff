// Each mistake of the list still finds its place: a refactoring that moves the text of a patch must move the patch.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { root } from "../../scripts/paths.js";
import { mutatedFiles } from "./mutated-files.ts";
import { MUTATIONS } from "./mutation-list.ts";

const read = (file: string): string => readFileSync(join(root, file), "utf8");

test.each(MUTATIONS)("the text of this mutation occurs exactly once in the sources: $name", (mutation) => {
  const changed = mutatedFiles(mutation, read);
  expect(changed.size).toBeGreaterThan(0);
  for (const [file, text] of changed) expect(text).not.toBe(read(file));
});

test.each([
  ["which the file does not have", "missing"],
  ["which the file has twice", "a"],
])("a patch of a text %s is rejected", (_, from) => {
  const mutation = { name: "x", patches: [{ file: "f", from, to: "b" }] };
  expect(() => mutatedFiles(mutation, () => "a a")).toThrow(`f does not have this text once: ${from}`);
});
