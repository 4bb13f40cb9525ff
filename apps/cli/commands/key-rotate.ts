// key rotate: creates a successor now; the old key gets a grace period.
import type { Command } from "commander";
import { KEY_GRACE_DEFAULT_MS, KEY_GRACE_MAX_MS } from "#keys/bounds.ts";
import type { Cli } from "../cli.ts";
import { examples } from "../show/text.ts";
import { makeIssueKeys } from "../open/credentials.ts";
import { notFound } from "../show/not-found.ts";
import { durationMsIn, type Faults } from "../parse/options.ts";
import { CliError, rejectFaults } from "../cli-error.ts";
import { issuedKeyResult } from "../show/key.ts";

export function addKeyRotate(parent: Command, cli: Cli): void {
  parent
    .command("rotate")
    .summary("replace an API key")
    .description(
      "Creates a key with the same name and scopes and prints it once. The old key remains valid for a grace period.",
    )
    .argument("<keyId>", "the key to replace, as clanxp key list shows it")
    .option("--grace <duration>", "grace period of the old key: 0 to 7d, as 90s, 15m, 24h (default: 24h)")
    .addHelpText(
      "after",
      examples([
        ["clanxp key rotate 0aB1cD2eF3gH4iJ5", "game servers have a day to switch to the new key"],
        ["clanxp key rotate 0aB1cD2eF3gH4iJ5 --grace 0", "the old key has leaked: it expires now"],
      ]),
    )
    .action(async (keyId: string, options: { grace?: string }) => {
      const faults: Faults = [];
      const graceMs =
        options.grace === undefined
          ? KEY_GRACE_DEFAULT_MS
          : durationMsIn("--grace", options.grace, KEY_GRACE_MAX_MS, faults);
      rejectFaults(faults);
      const by = cli.by();

      const issued = await makeIssueKeys(await cli.servers.preparedStores()).rotateKey({ keyId, graceMs }, by);
      if (issued.kind === "no_key") throw notFound.key(keyId);
      if (issued.kind === "too_many_keys") throw new CliError("too_many_keys", issued.detail);
      if (issued.kind !== "issued") throw new CliError("key_not_live", issued.detail);
      cli.print(
        issuedKeyResult(
          issued,
          graceMs === 0
            ? "\nThe old key has expired."
            : `\nThe old key remains valid for at most ${options.grace ?? "24h"}.`,
        ),
      );
    });
}
