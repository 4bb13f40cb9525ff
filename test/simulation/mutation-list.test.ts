// Each mistake of the lists still finds its place: a refactoring that moves the text of a patch must move the patch.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { root } from "../../scripts/paths.js";
import { faultsOfAwards } from "../mutations/faults-of-awards.ts";
import { faultsOfEvents } from "../mutations/faults-of-events.ts";
import { faultsOfOperators } from "../mutations/faults-of-operators.ts";
import { mutatedFiles } from "./mutated-files.ts";
import { MUTATIONS } from "./mutation-list.ts";

const read = (file: string): string => readFileSync(join(root, file), "utf8");

const faults = [...faultsOfAwards, ...faultsOfEvents, ...faultsOfOperators];
const FAULTS = faults.map(({ name, ...patch }) => ({ name, patches: [patch] }));

test.each([...MUTATIONS, ...FAULTS])(
  "the text of this mutation occurs exactly once in the sources: $name",
  (mutation) => {
    const changed = mutatedFiles(mutation, read);
    expect(changed.size).toBeGreaterThan(0);
    for (const [file, text] of changed) expect(text).not.toBe(read(file));
  },
);

test.each([
  ["which the file does not have", "missing"],
  ["which the file has twice", "a"],
])("a patch of a text %s is rejected", (_, from) => {
  const mutation = { name: "x", patches: [{ file: "f", from, to: "b" }] };
  expect(() => mutatedFiles(mutation, () => "a a")).toThrow(`f does not have this text once: ${from}`);
});
