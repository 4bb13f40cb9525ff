// Nothing that a caller sent becomes part of a query or a script. Queries are written in libs/store, from values whose
// types say that they were parsed; a cast could make a text of an operator object, so there is none on that way. Texts
// reach Lua as KEYS and ARGV. What this cannot see: a type that lies. Parsing is held by the contract's schemas and by
// test/security.

import { findInCode, sourcesIn, type Finding, type Tree } from "../read-tree.ts";

const RULE = "no-injection";
/** Parts of a query that are code, or compare with what another part says. */
const CODE_IN_QUERY = /["']?\$(?:where|expr|function|accumulator)\b|\bmapReduce\(|\$eval\b/g;
const CAST = /\bas (?:unknown as )?(?:string|number|bigint|boolean|object|any|never)\b/g;
const LUA_WITH_VALUE = /`[^`]*\bredis\.p?call\b[^`]*\$\{[^`]*`|`[^`]*\$\{[^`]*\bredis\.p?call\b[^`]*`/g;
const PAST_THE_STORES = /\.collection\(|\.models\b/g;

export function noInjection(tree: Tree): Finding[] {
  return [
    ...find(tree, ["libs", "apps"], CODE_IN_QUERY, "puts code into a query: compare fields with values"),
    ...find(tree, ["libs/store", "apps/api"], CAST, "casts what may reach a query: parse it with a schema"),
    ...find(tree, ["libs", "apps"], LUA_WITH_VALUE, "writes a value into a Lua script: pass it as KEYS or ARGV"),
    ...find(tree, ["apps"], PAST_THE_STORES, "queries past the stores: add what is needed to libs/store"),
  ];
}

function find(tree: Tree, folders: string[], pattern: RegExp, message: string) {
  return sourcesIn(tree, folders).flatMap((file) => findInCode(file, pattern, () => ({ rule: RULE, message })));
}
