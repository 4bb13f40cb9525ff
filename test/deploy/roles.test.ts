// deploy/mongo/roles.js against the collections that the product uses: a process whose user lacks a right is not ready.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { collections as declared } from "#composition/collections.ts";
import { AUDIT } from "#audit/store/audit-model.ts";
import { root } from "../../scripts/paths.js";
import { commandsOfRoles } from "../support/mongo-roles.ts";

const NAMED = /\bcollection(?:<[^()]*>)?\(\s*"([a-z_]+)"/g;

const sent = commandsOfRoles("clanxp");

/** The collections that the role has rights on. */
function collectionsOf(role: string): string[] {
  const found = sent.find(({ command }) => command["createRole"] === role);
  return found?.command["privileges"].map(({ resource }: any) => resource.collection).toSorted();
}

test("each database role lists exactly the collections of the product", () => {
  const libs = join(root, "libs");
  const files = readdirSync(libs, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".ts"));
  const sources = files.map((file) => readFileSync(join(libs, file), "utf8"));
  const collections = new Set([
    ...declared.map(({ name }) => name),
    ...sources.flatMap((source) => [...source.matchAll(NAMED)].map(({ 1: name = "" }) => name)),
  ]);
  for (const name of ["ledger", "meta", "processes", "sign_in_attempts"]) expect(collections).toContain(name);
  // Of the cluster's own database, on which no role has rights.
  expect(collections.delete("collections")).toBe(true);
  for (const role of ["clanxp", "clanxpOperator", "clanxpNotifier"]) {
    expect(collectionsOf(role)).toStrictEqual([...collections].toSorted());
  }
});

test("the roles script creates the indexes of the audit log, which no process may create", () => {
  const created = sent.find(({ command }) => command["createIndexes"] === "audit")?.command["indexes"];
  const keys = AUDIT.indexes.map(({ key }) => key);
  expect(created.map(({ key }: any) => key)).toStrictEqual(keys);
});

test("the roles script updates existing roles and creates the others", () => {
  const again = commandsOfRoles("clanxp", "clanxp", new Map([["clanxp", ["clanxp"]]]));
  const verbs = again.map(({ database, command }) => [database, ...(Object.entries(command)[0] ?? [])]);
  expect(verbs).toStrictEqual([
    ["clanxp", "createIndexes", "audit"],
    ["clanxp", "updateRole", "clanxp"],
    ["clanxp", "createRole", "clanxpOperator"],
    ["clanxp", "createRole", "clanxpNotifier"],
    ["admin", "createRole", "clanxpDoctor"],
  ]);
});
