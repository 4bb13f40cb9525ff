// key revoke: a key stops working on every process.
import type { Command } from "commander";
import { makeRevokeKey } from "#keys/revoke-key.ts";
import type { Cli } from "../cli.ts";
import { examples } from "../show/text.ts";
import { notFound } from "../show/not-found.ts";
import { keyResult } from "../show/key.ts";

export function addKeyRevoke(parent: Command, cli: Cli): void {
  parent
    .command("revoke")
    .summary("revoke an API key")
    .description("Revokes an API key permanently, on every process within a second. Running it again changes nothing.")
    .argument("<keyId>", "the key, as clanxp key list shows it")
    .addHelpText(
      "after",
      examples([["clanxp key revoke 0aB1cD2eF3gH4iJ5", "requests with it are rejected from now on"]]),
    )
    .action(async (keyId: string) => {
      const by = cli.by();
      const { keys } = await cli.servers.stores();
      const key = await makeRevokeKey({ keys, clock: cli.clock })(keyId, by);
      if (!key) throw notFound.key(keyId);
      cli.print(keyResult(key, cli.clock.now()));
    });
}
