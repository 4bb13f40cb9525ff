// key list: a clan's keys, without their secrets.
import type { Command } from "commander";
import type { Cli } from "../cli.ts";
import { examples } from "../examples.ts";
import { clanIdIn, type Faults } from "../parse.ts";
import { refuseFaults } from "../refusal.ts";
import { keysResult } from "../show-key.ts";
import { unknownClan } from "../unknown-clan.ts";

export function addKeyList(parent: Command, cli: Cli): void {
  parent
    .command("list")
    .summary("list a clan's API keys")
    .description("Lists a clan's API keys, oldest first, including expired and revoked ones. The time of last use may lag by a minute.")
    .argument("<clanId>", "the clan")
    .addHelpText(
      "after",
      examples([["clanxp key list rovers --json | jq -r '.keys[] | select(.lastUsedAt == null) | .keyId'", "keys never used"]]),
    )
    .action(async (clanIdText: string) => {
      const faults: Faults = [];
      const clanId = clanIdIn(clanIdText, faults);
      refuseFaults(faults);

      const database = await cli.servers.mongo();
      const [{ makeClanStore }, { makeKeyStore }] = await Promise.all([import("#store/clan-store.ts"), import("#store/key-store.ts")]);
      const clans = makeClanStore(database);
      if (!(await clans.read([clanId])).has(clanId)) throw await unknownClan(clanId, clans);
      cli.answer(keysResult(await makeKeyStore(database).listOfClan(clanId), cli.clock.now()));
    });
}
