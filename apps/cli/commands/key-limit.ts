// key limit: sets the rates of a key, and how much it may award.
import type { Command } from "commander";
import { AMOUNT_MAX_LIMIT } from "#domain/bounds.ts";
import { KEY_LIMITS_DEFAULT, PER_SECOND_MAX, XP_PER_DAY_MAX, type KeyLimits } from "#domain/key-limits.ts";
import type { Cli } from "../cli.ts";
import { examples } from "../show/text.ts";
import { notFound } from "../show/not-found.ts";
import { type Faults } from "../parse/options.ts";
import { rejectFaults } from "../cli-error.ts";
import { keyResult } from "../show/key.ts";

type Options = { requests?: string; awards?: string; amountMax?: string; xpPerDay?: string };

export function addKeyLimit(parent: Command, cli: Cli): void {
  const { requestsPerSecond, awardsPerSecond } = KEY_LIMITS_DEFAULT;
  parent
    .command("limit")
    .summary("set an API key's rate limits and budget")
    .description(
      "Sets how many requests and awards an API key may send per second, and how much XP it may award. Bursts of four times the rates are " +
        "allowed. An award beyond --amount-max or --xp-per-day is rejected with the code budget_exceeded.",
    )
    .argument("<keyId>", "the key, as clanxp key list shows it")
    .option("--requests <n|none>", `requests per second, or none for no limit (a new key: ${requestsPerSecond})`)
    .option("--awards <n|none>", `awards per second, including those in batches (a new key: ${awardsPerSecond})`)
    .option("--amount-max <n|none>", "the largest amount of one award, positive or negative, or none for no limit")
    .option("--xp-per-day <n|none>", "the sum of positive amounts per UTC day, or none for no limit")
    .addHelpText(
      "after",
      examples([
        ["clanxp key limit 0aB1cD2eF3gH4iJ5 --requests 50", "slow down a key that sends too much"],
        ["clanxp key limit 0aB1cD2eF3gH4iJ5 --amount-max 500 --xp-per-day 200000", "limit what a leaked key can award"],
        ["clanxp key limit 0aB1cD2eF3gH4iJ5 --requests none --awards none", "no rate limits, for a trusted importer"],
      ]),
    )
    .action(async (keyId: string, options: Options) => {
      const faults: Faults = [];
      const limits: Partial<KeyLimits> = {
        ...(options.requests === undefined
          ? {}
          : { requestsPerSecond: perSecondIn("--requests", options.requests, faults) }),
        ...(options.awards === undefined ? {} : { awardsPerSecond: perSecondIn("--awards", options.awards, faults) }),
        ...(options.amountMax === undefined
          ? {}
          : { amountMax: budgetIn("--amount-max", options.amountMax, AMOUNT_MAX_LIMIT, faults) }),
        ...(options.xpPerDay === undefined
          ? {}
          : { xpPerDay: budgetIn("--xp-per-day", options.xpPerDay, XP_PER_DAY_MAX, faults) }),
      };
      if (Object.keys(limits).length === 0)
        faults.push("Name at least one limit: --requests, --awards, --amount-max or --xp-per-day");
      rejectFaults(faults);
      const by = cli.by();

      const { keys } = await cli.servers.preparedStores();
      const key = await keys.limit(keyId, limits, by);
      if (!key) throw notFound.key(keyId);
      cli.print(keyResult(key, cli.clock.now()));
    });
}

function perSecondIn(option: string, text: string, faults: Faults): number | null {
  if (text === "none") return null;
  const perSecond = /^\d{1,9}$/.test(text) ? Number(text) : 0;
  if (perSecond < 1 || perSecond > PER_SECOND_MAX)
    faults.push(`${option} is none or a whole number from 1 to ${PER_SECOND_MAX}, not ${text}`);
  return perSecond;
}

function budgetIn(option: string, text: string, max: number, faults: Faults): number | null {
  if (text === "none") return null;
  const budget = /^\d{1,16}$/.test(text) ? Number(text) : 0;
  if (budget < 1 || budget > max) faults.push(`${option} is none or a whole number from 1 to ${max}, not ${text}`);
  return budget;
}
