// clan delete: deletes a clan with everything that is stored of it.
import type { Command } from "commander";
import { makeDeleteLocks } from "#lock/delete-locks.ts";
import { makeDeleteClan } from "#erasure/delete-clan.ts";
import type { Cli } from "../cli.ts";
import { CliError, rejectFaults } from "../cli-error.ts";
import { requireConsent, requireYesOrTerminal } from "../consent.ts";
import { openFreshLists } from "../open/fresh-lists.ts";
import { silentLog } from "../open/servers.ts";
import type { Stores } from "../open/stores.ts";
import { clanIdIn, type Faults } from "../parse/options.ts";
import { unknownClan } from "../show/not-found.ts";
import { openProgress } from "../show/progress.ts";
import { examples, facts } from "../show/text.ts";

const BACKUPS = "Earlier backups still contain the clan. After you restore such a backup, delete the clan again.";

type Options = { dryRun?: boolean; yes?: boolean };

export function addClanDelete(parent: Command, cli: Cli): void {
  parent
    .command("delete")
    .summary("delete a clan and all of its data")
    .description(
      "Deletes a clan: its API keys stop working first, then its members, ledger, batches, events, destinations and everything else is deleted. This cannot be undone. " +
        "The audit log stays, and the id is not used again. If the command is interrupted, a worker finishes the deletion.",
    )
    .argument("<clanId>", "the clan")
    .option("--dry-run", "only count the members; deletes nothing")
    .option("--yes", "do not ask for the clan id; required without a terminal")
    .addHelpText(
      "after",
      examples([
        ["clanxp clan delete rovers --dry-run", "how many members it has"],
        ["clanxp clan delete rovers", "once you have typed its id"],
      ]),
    )
    .action(async (clanIdText: string, options: Options) => {
      const faults: Faults = [];
      const clanId = clanIdIn(clanIdText, faults);
      if (!options.dryRun) requireYesOrTerminal(cli, options, faults);
      rejectFaults(faults);
      await (options.dryRun ? dryRun(cli, clanId) : deleteClan(cli, clanId, options));
    });
}

async function dryRun(cli: Cli, clanId: string): Promise<void> {
  const stores = await cli.servers.stores();
  await requireClan(clanId, stores);
  const members = await countMembers(cli, clanId, stores);
  const text = `The clan "${clanId}" has ${members} members. Nothing was deleted.`;
  cli.print({ json: { clanId, status: "dry_run", members }, text });
}

async function deleteClan(cli: Cli, clanId: string, options: Options): Promise<void> {
  const by = cli.by();
  const [stores, redis] = await Promise.all([cli.servers.preparedStores(), cli.servers.redis()]);
  const { deletions, clanData, epochs } = stores;
  if ((await deletions.read(clanId))?.finishedAt !== null) await requireClan(clanId, stores);
  if (!options.yes) await requireId(cli, clanId, await countMembers(cli, clanId, stores));

  const begun = await deletions.begin(clanId, by);
  if (begun === "no_clan") throw await unknownClan(clanId, stores.clans);
  const run = makeDeleteClan({
    deletions,
    clanData,
    epochs,
    deleteLocks: makeDeleteLocks({ redis, namespace: cli.servers.namespace() }),
    clock: cli.clock,
    log: silentLog,
  });
  const forget = cli.onInterrupt(unfinished(clanId));
  const progress = await openProgress(cli.terminal, () => clanData.size(clanId));
  const members = await run({ clanId, finishedAt: null }, progress.show)
    .catch((error: unknown) => {
      throw new CliError("unreachable", unfinished(clanId), { cause: error });
    })
    .finally(() => {
      progress.close();
      forget();
    });
  cli.print({
    json: { clanId, status: "done", members },
    text: `${facts([
      ["clan", clanId],
      ["members", members.toString()],
      ["status", "deleted"],
    ])}\n\n${BACKUPS}`,
  });
}

function unfinished(clanId: string): string {
  return `The clan ${clanId} and its keys are gone, and some of its data is not deleted yet. A worker finishes this, or run the command again.`;
}

async function requireClan(clanId: string, { clans }: Stores): Promise<void> {
  if (!(await clans.read([clanId])).has(clanId)) throw await unknownClan(clanId, clans);
}

/** Including members whose newest awards are not in the lists yet, if Redis is available. */
async function countMembers(cli: Cli, clanId: string, { clanData }: Stores): Promise<number> {
  const { catchUp } = await openFreshLists(cli);
  await catchUp(clanId);
  return clanData.countMembers(clanId);
}

function requireId(cli: Cli, clanId: string, members: number): Promise<void> {
  const question = `This deletes the clan "${clanId}" with ${members} members, and cannot be undone. Type its id to confirm:`;
  return requireConsent(cli, {}, { question, declined: "Nothing was deleted.", word: clanId });
}
