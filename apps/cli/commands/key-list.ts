// key list: a clan's keys, without their secrets.
import type { Command } from "commander";
import type { Cli } from "../cli.ts";
import { examples } from "../examples.ts";
import { clanIdIn, type Faults } from "../parse.ts";
import { refuseFaults } from "../refusal.ts";
import { keysResult } from "../show-key.ts";
import { unknownClan } from "../unknown-clan.ts";
import type { Key } from "#domain/key.ts";
import { budgetDay } from "#usecases/keys/budget-day.ts";
import type { BudgetStore } from "#usecases/keys/ports.ts";

export function addKeyList(parent: Command, cli: Cli): void {
  parent
    .command("list")
    .summary("list a clan's API keys")
    .description(
      "Lists a clan's API keys, oldest first, including expired and revoked ones, with what they have awarded today of their XP per day. The " +
        "time of last use may lag by a minute.",
    )
    .argument("<clanId>", "the clan")
    .addHelpText(
      "after",
      examples([
        ["clanxp key list rovers --json | jq -r '.keys[] | select(.lastUsedAt == null) | .keyId'", "keys never used"],
      ]),
    )
    .action(async (clanIdText: string) => {
      const faults: Faults = [];
      const clanId = clanIdIn(clanIdText, faults);
      refuseFaults(faults);

      const database = await cli.servers.mongo();
      const [{ makeBudgetStore }, { makeClanStore }, { makeKeyStore }] = await Promise.all([
        import("#store/keys/budget-store.ts"),
        import("#store/clans/clan-store.ts"),
        import("#store/keys/key-store.ts"),
      ]);
      const clans = makeClanStore(database);
      if (!(await clans.read([clanId])).has(clanId)) throw await unknownClan(clanId, clans);
      const keys = await makeKeyStore(database).listOfClan(clanId);
      cli.answer(keysResult(keys, await spentToday(makeBudgetStore(database), keys, cli.clock.now()), cli.clock.now()));
    });
}

/** Of the keys that have a budget per day. */
async function spentToday(
  budgets: Pick<BudgetStore, "spentOf">,
  keys: readonly Key[],
  now: Date,
): Promise<Map<string, number>> {
  const day = budgetDay(now);
  const limited = keys.filter(({ limits }) => limits.xpPerDay !== null);
  return new Map(
    await Promise.all(limited.map(async ({ keyId }) => [keyId, await budgets.spentOf({ keyId, day })] as const)),
  );
}
