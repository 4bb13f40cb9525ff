// key limit: how fast a key may call.
import type { Command } from "commander";
import { KEY_LIMITS_DEFAULT, PER_SECOND_MAX, type KeyLimits } from "#domain/key-limits.ts";
import type { Cli } from "../cli.ts";
import { examples } from "../examples.ts";
import { type Faults } from "../parse.ts";
import { Refusal, refuseFaults } from "../refusal.ts";
import { keyResult } from "../show-key.ts";

export function addKeyLimit(parent: Command, cli: Cli): void {
  const { requestsPerSecond, awardsPerSecond } = KEY_LIMITS_DEFAULT;
  parent
    .command("limit")
    .summary("set an API key's rate limits")
    .description("Sets how many requests and awards an API key may send per second. Bursts of four times that are allowed.")
    .argument("<keyId>", "the key, as clanxp key list shows it")
    .option("--requests <n|none>", `requests per second, or none for no limit (a new key: ${requestsPerSecond})`)
    .option("--awards <n|none>", `awards per second, including those in batches (a new key: ${awardsPerSecond})`)
    .addHelpText(
      "after",
      examples([
        ["clanxp key limit 0aB1cD2eF3gH4iJ5 --requests 50", "slow down a key that sends too much"],
        ["clanxp key limit 0aB1cD2eF3gH4iJ5 --requests none --awards none", "a key of the operator's own import"],
      ]),
    )
    .action(async (keyId: string, options: { requests?: string; awards?: string }) => {
      const faults: Faults = [];
      const limits: Partial<KeyLimits> = {
        ...(options.requests === undefined ? {} : { requestsPerSecond: perSecondIn("--requests", options.requests, faults) }),
        ...(options.awards === undefined ? {} : { awardsPerSecond: perSecondIn("--awards", options.awards, faults) }),
      };
      if (Object.keys(limits).length === 0) faults.push("Name at least one limit: --requests or --awards");
      refuseFaults(faults);
      const by = cli.by();

      const { makeKeyStore } = await import("#store/key-store.ts");
      const key = await makeKeyStore(await cli.servers.preparedMongo()).limit(keyId, limits, by);
      if (!key) throw new Refusal("key_not_found", `There is no key "${keyId}". clanxp key list shows a clan's keys.`);
      cli.answer(keyResult(key, cli.clock.now()));
    });
}

function perSecondIn(option: string, text: string, faults: Faults): number | null {
  if (text === "none") return null;
  const perSecond = /^\d{1,9}$/.test(text) ? Number(text) : 0;
  if (perSecond < 1 || perSecond > PER_SECOND_MAX)
    faults.push(`${option} is none or a whole number from 1 to ${PER_SECOND_MAX}, not ${text}`);
  return perSecond;
}
