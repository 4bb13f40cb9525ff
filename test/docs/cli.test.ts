// docs/reference/cli.md against the program: every command with its options, and every action of the audit log.
import type { Command } from "commander";
import { expect, test } from "vitest";
import { auditActions } from "#domain/audit.ts";
import type { Cli } from "../../apps/cli/cli.ts";
import { makeProgram } from "../../apps/cli/program.ts";
import { readPage } from "../support/docs-page.ts";

const sections = readPage("docs/reference/cli.md").split(/^## /m);
// Commands that are only described use nothing of their environment.
const program = makeProgram({} as Cli, { stdout: { write: () => true }, stderr: { write: () => true } });

test.each(leavesOf(program, []))("the CLI page lists %s with its options", (name, command) => {
  const options = command.options.map(({ long }) => long ?? "");
  // A scope of keys has the name of a command, too.
  const listing = sections.filter((text) => new RegExp(`^\\| \`${name}[ \`]`, "m").test(text));
  const missing = listing.map((section) => options.filter((option) => !section.includes(option)));
  expect(missing).toContainEqual([]);
});

test("the CLI page lists every action of the audit log with its target", () => {
  const listed = [...readPage("docs/reference/cli.md").matchAll(/^\| ((?:`[a-z.]+`(?:, )?)+) \|/gm)].flatMap(
    ([, names = ""]) => names.match(/[a-z]+\.[a-z]+/g) ?? [],
  );
  expect(listed.toSorted()).toStrictEqual([...auditActions].toSorted());
});

function leavesOf(command: Command, names: readonly string[]): [string, Command][] {
  if (command.commands.length === 0) return [[names.join(" "), command]];
  return command.commands.flatMap((inner) => leavesOf(inner, [...names, inner.name()]));
}
