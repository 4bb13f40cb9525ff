// XP changes in one place, in one transaction with its entry. Everything that is promised about XP stands on this.

import { findInCode, sourcesIn } from "../read-tree.js";

const WRITER = "libs/store/award-store.ts";
/** Gives memberships by hand, and keeps a member that is not there yet with 0 XP. */
const MEMBERSHIPS = "libs/store/member-store.ts";

const WRITE = "(?:insert|update|replace|delete|bulkWrite|create|findOneAnd|findByIdAnd|save)\\w*\\(";
const WRITES_TO = new RegExp(`\\b(members|ledger)(?:"\\)|\\(\\))?\\s*\\.\\s*${WRITE}`, "g");
const NAMES_XP = /\$(?:set|setOnInsert|inc|mul|min|max|unset)\b["']?: \{[^}]*?\bxp\b(?!: 0n)/g;

/** @type {import("../read-tree.js").Rule} */
export function oneXpWriter(tree) {
  return sourcesIn(tree, ["libs", "apps"])
    .filter(({ path }) => path !== WRITER)
    .flatMap((file) => [
      ...findInCode(file, WRITES_TO, ([, collection]) =>
        collection === "members" && file.path === MEMBERSHIPS
          ? undefined
          : { rule: "one-xp-writer", message: `writes to ${collection}: only ${WRITER} does` },
      ),
      ...findInCode(file, NAMES_XP, () => ({ rule: "one-xp-writer", message: `changes xp: only ${WRITER} does` })),
    ]);
}
