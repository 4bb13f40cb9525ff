// A value from a caller never becomes code in a query or a script. Queries are written in stores, from values whose
// types guarantee that they were parsed. A cast could pass an operator object as a string, so none is permitted there.
// Lua receives values only as KEYS and ARGV. A wrong type is not detected here: the contract's schemas parse requests,
// and test/security tests them.

import { findInCode, sourcesIn, type Finding, type Tree } from "../read-tree.ts";

const RULE = "no-injection";
/** Operators of a query that execute code or expressions. */
const CODE_IN_QUERY = /["']?\$(?:where|expr|function|accumulator)\b|\bmapReduce\(|\$eval\b/g;
const CAST = /\bas (?:unknown as )?(?:string|number|bigint|boolean|object|any|never)\b/g;
const LUA_WITH_VALUE = /`[^`]*\bredis\.p?call\b[^`]*\$\{[^`]*`|`[^`]*\$\{[^`]*\bredis\.p?call\b[^`]*`/g;
const PAST_THE_STORES = /\.collection\(|\.models\b/g;

export function noInjection(tree: Tree): Finding[] {
  return [
    ...find(tree, ["libs", "apps"], CODE_IN_QUERY, "puts code into a query: compare fields with values"),
    ...find(
      tree,
      ["libs/mongo", ...storesIn(tree), "apps/api"],
      CAST,
      "casts what may reach a query: parse it with a schema",
    ),
    ...find(tree, ["libs", "apps"], LUA_WITH_VALUE, "writes a value into a Lua script: pass it as KEYS or ARGV"),
    ...find(tree, ["apps"], PAST_THE_STORES, "queries past the stores: add what is needed to the store"),
  ];
}

/** The folders of all stores. */
function storesIn(tree: Tree): string[] {
  return [...new Set(tree.files.flatMap(({ path }) => /^libs\/[^/]+\/store(?=\/)/.exec(path)?.[0] ?? []))];
}

function find(tree: Tree, folders: string[], pattern: RegExp, message: string) {
  return sourcesIn(tree, folders).flatMap((file) => findInCode(file, pattern, () => ({ rule: RULE, message })));
}
