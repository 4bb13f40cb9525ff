// key list: a clan's keys, without their secrets.
import type { Command } from "commander";
import { makeListKeys } from "#keys/list-keys.ts";
import type { Cli } from "../cli.ts";
import { examples } from "../show/text.ts";
import { clanIdIn, type Faults } from "../parse/options.ts";
import { rejectFaults } from "../cli-error.ts";
import { keysResult } from "../show/key.ts";
import { unknownClan } from "../show/not-found.ts";

export function addKeyList(parent: Command, cli: Cli): void {
  parent
    .command("list")
    .summary("list a clan's API keys")
    .description(
      "Lists a clan's API keys, oldest first, including expired and revoked ones. For keys with a budget per day, it shows the XP that they have " +
        "awarded today. The time of last use may be a minute behind.",
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
      rejectFaults(faults);

      const stores = await cli.servers.stores();
      const { clans } = stores;
      if (!(await clans.read([clanId])).has(clanId)) throw await unknownClan(clanId, clans);
      const { keys, spent } = await makeListKeys({ ...stores, clock: cli.clock })(clanId);
      cli.print(keysResult(keys, spent, cli.clock.now()));
    });
}
