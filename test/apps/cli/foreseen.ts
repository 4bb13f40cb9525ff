// What a dry run and then the import report, which must be the same.
import { expect } from "vitest";
import type { CommandLine } from "../../support/cli.ts";

export async function foreseen(cli: CommandLine, clanId: string, file: string, ...options: string[]): Promise<any> {
  const ledger = async () => (await cli.run("export", clanId, "ledger")).stdout;
  const before = await ledger();
  const dry = await cli.json("import", clanId, file, "--dry-run", ...options);
  expect(await ledger()).toBe(before);
  const { exitCode, answer } = await cli.json("import", clanId, file, ...options);
  expect([dry.exitCode, dry.answer]).toStrictEqual([exitCode, { ...answer, dryRun: true }]);
  return { exitCode, ...answer };
}
