// key rotate: a successor now, and a grace for the old key.
import type { Command } from "commander";
import { KEY_GRACE_DEFAULT_MS, KEY_GRACE_MAX_MS } from "#usecases/bounds.ts";
import type { Cli } from "../cli.ts";
import { examples } from "../examples.ts";
import { type Faults } from "../parse.ts";
import { durationMsIn } from "../parse-time.ts";
import { Refusal, refuseFaults } from "../refusal.ts";
import { issuedKeyResult } from "../show-key.ts";

export function addKeyRotate(parent: Command, cli: Cli): void {
  parent
    .command("rotate")
    .summary("replace an API key")
    .description("Makes a key with the same name and scopes and shows it, only this once. The old key lives on for a grace.")
    .argument("<keyId>", "the key to replace, as clanxp key list shows it")
    .option("--grace <duration>", "how long the old key lives on: 0 to 7d, as 90s, 15m, 24h (default: 24h)")
    .addHelpText(
      "after",
      examples([
        ["clanxp key rotate 0aB1cD2eF3gH4iJ5", "game servers have a day to take the new key"],
        ["clanxp key rotate 0aB1cD2eF3gH4iJ5 --grace 0", "the old key ends now: it has leaked"],
      ]),
    )
    .action(async (keyId: string, options: { grace?: string }) => {
      const faults: Faults = [];
      const graceMs = options.grace === undefined ? KEY_GRACE_DEFAULT_MS : durationMsIn("--grace", options.grace, KEY_GRACE_MAX_MS, faults);
      refuseFaults(faults);
      const by = cli.by();

      const database = await cli.servers.preparedMongo();
      const { makeIssueKeys } = await import("../issue-keys.ts");
      const issued = await makeIssueKeys(database).rotateKey({ keyId, graceMs }, by);
      if (issued.kind === "no_key") throw new Refusal("key_not_found", `There is no key "${keyId}". clanxp key list shows a clan's keys.`);
      if (issued.kind === "too_many_keys") throw new Refusal("too_many_keys", issued.detail);
      if (issued.kind !== "issued") throw new Refusal("key_not_live", issued.detail);
      cli.answer(
        issuedKeyResult(
          issued,
          graceMs === 0 ? "\nThe old key has ended." : `\nThe old key lives on for ${options.grace ?? "24h"} at most.`,
        ),
      );
    });
}
