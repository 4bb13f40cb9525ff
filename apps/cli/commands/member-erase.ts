// member erase: deletes everything that is stored of one person, in one clan or in all of them.
import type { Command } from "commander";
import { makeAnnounceEvents } from "#redis/event-signal.ts";
import { makeDeleteLocks } from "#lock/delete-locks.ts";
import { AppError } from "#kernel/app-error.ts";
import { ERASURE_STAGES } from "#erasure/bounds.ts";
import { makeEraseMember } from "#erasure/erase-member.ts";
import type { ErasureCounts, ErasureTarget } from "#erasure/ports.ts";
import { makeIds } from "#process/ids.ts";
import type { Cli } from "../cli.ts";
import { examples, facts } from "../show/text.ts";
import { clanIdIn, platformIdIn, type Faults } from "../parse/options.ts";
import { openProgress } from "../show/progress.ts";
import { CliError, rejectFaults } from "../cli-error.ts";
import { silentLog } from "../open/servers.ts";
import { requireConsent, requireYesOrTerminal } from "../consent.ts";
import { unknownClan } from "../show/not-found.ts";

const BACKUPS =
  "Earlier backups and log archives still contain this data until you delete them or they expire. After you restore such a backup, erase the member again.";

type Options = { allClans?: boolean; yes?: boolean };

export function addMemberErase(parent: Command, cli: Cli): void {
  parent
    .command("erase")
    .summary("erase all data of one person")
    .description(
      "Deletes a member's XP, membership and ledger entries, and removes their platform ID from all other records. This cannot be undone. " +
        "Awards of the member wait meanwhile; the next one starts at 0 XP. If the command is interrupted, a worker finishes the erasure.",
    )
    .usage("[options] <clanId> <platformId>\n       clanxp member erase [options] --all-clans <platformId>")
    .argument("<ids...>", "the clan and the player's id on the game's platform; with --all-clans the player's id alone")
    .option("--all-clans", "in every clan")
    .option("--yes", "do not ask; required without a terminal")
    .addHelpText(
      "after",
      examples([
        ["clanxp member erase rovers 4711", "in one clan, once you confirm it"],
        ["clanxp member erase --all-clans 4711 --yes --json", "in every clan, from a script"],
      ]),
    )
    .action(async (ids: string[], options: Options) => eraseMember(cli, targetIn(cli, ids, options), options));
}

function targetIn(cli: Cli, ids: readonly string[], options: Options): ErasureTarget {
  const { allClans = false } = options;
  if (ids.length !== (allClans ? 1 : 2)) {
    throw new CliError(
      "usage",
      "Name the clan and the platform ID: clanxp member erase <clanId> <platformId>, or --all-clans <platformId>.",
    );
  }
  const faults: Faults = [];
  const platformId = platformIdIn(ids.at(-1) ?? "", faults);
  const clanId = allClans ? null : clanIdIn(ids[0] ?? "", faults);
  requireYesOrTerminal(cli, options, faults);
  rejectFaults(faults);
  return { clanId, platformId };
}

async function eraseMember(cli: Cli, target: ErasureTarget, options: Options): Promise<void> {
  const { clanId, platformId } = target;
  const by = cli.by();
  const [stores, redis] = await Promise.all([cli.servers.preparedStores(), cli.servers.redis()]);
  const { clans, epochs, erasure: parts } = stores;
  if (clanId !== null && !(await clans.read([clanId])).has(clanId)) throw await unknownClan(clanId, clans);
  const where = clanId === null ? "all clans" : `the clan "${clanId}"`;
  await requireConsent(cli, options, {
    question: `Erase all data of "${platformId}" in ${where}? This cannot be undone.`,
    declined: "Nothing was erased.",
  });

  const { clock } = cli;
  const namespace = cli.servers.namespace();
  const ids = makeIds(clock);
  const erase = makeEraseMember({
    parts,
    epochs,
    clans,
    deleteLocks: makeDeleteLocks({ redis, namespace }),
    announceEvents: makeAnnounceEvents({ redis, namespace, log: silentLog }),
    ids,
    clock,
    log: silentLog,
  });
  const erasure = { ...target, erasureId: ids.erasure() };
  await parts.erasures.begin(erasure, by);
  const progress = await openProgress(cli.terminal, async () => ERASURE_STAGES);
  const counts = await erase(erasure, progress.show)
    .catch((error: unknown) => {
      throw interrupted(erasure.erasureId, error);
    })
    .finally(progress.close);
  cli.print({
    json: { erasureId: erasure.erasureId, clanId, status: "done", erased: counts, backups: BACKUPS },
    text: `${facts([["erasure", erasure.erasureId], ["clan", clanId ?? "all clans"], ...countFacts(counts)])}\n\n${BACKUPS}`,
  });
}

function countFacts(counts: ErasureCounts): [string, string][] {
  return Object.entries(counts).map(([name, count]) => [name, count.toString()]);
}

function interrupted(erasureId: string, cause: unknown): unknown {
  const isOurs = cause instanceof AppError && cause.code !== "unavailable" && cause.code !== "outcome_unknown";
  if (isOurs) return cause;
  const message = `The erasure ${erasureId} is recorded and not finished. A worker finishes it, or run the command again.`;
  return new CliError("unreachable", message, { cause });
}
