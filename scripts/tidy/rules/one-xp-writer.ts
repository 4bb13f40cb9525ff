// XP is written in one place: entries, and the heads projected from them. All guarantees about XP depend on this.

import { findInCode, sourcesIn, type Finding, type Tree } from "../read-tree.ts";

const WRITERS: Record<string, string> = {
  ledger: "libs/ledger/store/ledger-writer.ts",
  members: "libs/ledger/store/member-projection.ts",
};
/**
 * One deletes a member's entries, and closes their chain meanwhile by an entry of 0 XP; the other removes reasons that
 * name the member.
 */
const ERASERS = ["libs/erasure/store/erase-chain.ts", "libs/erasure/store/erase-reasons.ts"];
/** They remove, and restore, the flag of entries whose events have no numbers. */
const FLAGGERS = ["libs/events/store/unnumbered-entries.ts", "libs/events/store/repair-events.ts"];

const WRITE = "(?:insert|update|replace|delete|bulkWrite|create|findOneAnd|findByIdAnd|save)\\w*\\(";
const WRITES_TO = new RegExp(`\\b(members|ledger)(?:"\\)|\\(\\))?\\s*\\.\\s*${WRITE}`, "g");
const COMMANDS = /\b(?:insert|update|delete|findAndModify): "(members|ledger)"/g;
const NAMES_XP = /\$(?:set|setOnInsert|inc|mul|min|max|unset)\b["']?: \{[^}]*?\bxp\b(?!: 0n)/g;

export function oneXpWriter(tree: Tree): Finding[] {
  return sourcesIn(tree, ["libs", "apps"])
    .filter(({ path }) => ![...Object.values(WRITERS), ...ERASERS, ...FLAGGERS].includes(path))
    .flatMap((file) => [
      ...[WRITES_TO, COMMANDS].flatMap((pattern) =>
        findInCode(file, pattern, ([, collection = ""]) => ({
          rule: "one-xp-writer",
          message: `writes to ${collection}: only ${WRITERS[collection]} does`,
        })),
      ),
      ...findInCode(file, NAMES_XP, () => ({
        rule: "one-xp-writer",
        message: `changes xp: only ${WRITERS["members"]} does`,
      })),
    ]);
}
