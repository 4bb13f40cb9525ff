// The TypeScript that a page shows beside a command: it is run in the shell of the page's commands, behind that
// command, and does the same.
import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "vitest";
import { packedClient } from "../clients/typescript/packed-client.ts";
import { asCame, blocksOf, readPage, stepsOf, type Step } from "../support/docs-page.ts";

/** `shown`: of a program, the JSON that the page shows below it and its command. */
export type PageStep = Step & { shown?: unknown };

const NEW_CLIENT = "new ClanXp(";
const PRINTS_JSON = "console.log = (value) => process.stdout.write(`${JSON.stringify(value)}\\n`);";

/** A folder in which programs find the packed client. */
export async function makeProject(): Promise<{ folder: string; remove(): void }> {
  const folder = mkdtempSync(join(tmpdir(), "clanxp-programs-"));
  const packages = join(folder, "node_modules", "@clanxp");
  mkdirSync(packages, { recursive: true });
  symlinkSync((await packedClient()).folder, join(packages, "client"));
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

/** The steps of a page, and behind each its program, with the client that the page makes once. */
export function withPrograms(page: string, folder: string): PageStep[] {
  const client = blocksOf(readPage(page)).find(({ language, text }) => language === "js" && text.includes(NEW_CLIENT));
  return stepsOf(page).flatMap((step) => {
    const { line, program, answer: shown } = step;
    if (program === undefined) return [step];
    const source = program.includes(NEW_CLIENT) ? program : `${client?.text}\n${program}`;
    const command = `(cd '${folder}' && '${process.execPath}' --input-type=module - <<'END_OF_PROGRAM'
${PRINTS_JSON}
${source}
END_OF_PROGRAM
)`;
    return [step, { page, line, command, answer: undefined, shown }];
  });
}

/** It ran behind its command, whose awards it replays. It may print the items of a list one by one, or more of them. */
export function expectShown(shown: unknown, printed: string): void {
  const lines = printed.trimEnd().split("\n");
  const values = lines.map((line): unknown => JSON.parse(line));
  const answer: object = JSON.parse(JSON.stringify(shown).replaceAll('"status":"applied"', '"status":"replayed"'));
  const [value] = values;
  if (values.length === 1 && !Array.isArray(value)) {
    expect(value).toMatchObject(asCame(answer, value) as object);
    return;
  }
  const [items = []] = Object.values(answer).filter((field): field is unknown[] => Array.isArray(field));
  const came = values.flat().slice(0, items.length);
  expect(came).toMatchObject(asCame(items, came) as object[]);
}
