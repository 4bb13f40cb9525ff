// audit list: who changed what.
import type { Command } from "commander";
import { auditActions, isOfMember, type AuditAction } from "#domain/audit.ts";
import { auditSentence } from "#contract/dashboard/audit-text.ts";
import type { ListedRecord } from "#audit/ports.ts";
import type { Cli } from "../cli.ts";
import { didYouMean, rejectFaults } from "../cli-error.ts";
import { shownNames } from "../open/shown-names.ts";
import { withName, type ShownNames } from "../show/names.ts";
import { examples, table } from "../show/text.ts";
import { clanIdIn, limitIn, timestampIn, type Faults } from "../parse/options.ts";
import { unknownClan } from "../show/not-found.ts";

/** A terminal shows about fifty lines; a thousand records are about a megabyte. */
const RECORDS_DEFAULT = 50;
const RECORDS_MAX = 1_000;

type Options = { clan?: string; actor?: string; action?: string; from?: string; to?: string; limit?: string };

export function addAuditList(parent: Command, cli: Cli): void {
  parent
    .command("list")
    .summary("list changes and who made them")
    .description(
      "Lists what people changed of clans, ranks, API keys, members, batches, accounts and the queue, newest first: when, and in a sentence who did what. With --json, " +
        "each has the values before and after. The log never contains a secret.",
    )
    .option("--clan <clanId>", "changes of this clan, also of one that was deleted")
    .option("--actor <name>", "changes by this actor")
    .option("--action <action>", `changes of this kind: ${auditActions.join(", ")}`)
    .option("--from <time>", "changes at or after this date, or timestamp with time zone")
    .option("--to <time>", "changes before it")
    .option("--limit <N>", `maximum number of changes, 1 to ${RECORDS_MAX} (default: ${RECORDS_DEFAULT})`)
    .addHelpText(
      "after",
      examples([
        ["clanxp audit list --clan rovers", "the newest changes of a clan"],
        ["clanxp audit list --action key.create --from 2026-11-01 --json", "the API keys created since then, as JSON"],
      ]),
    )
    .action(async (options: Options) => {
      const faults: Faults = [];
      const filter = {
        clanId: options.clan === undefined ? null : clanIdIn(options.clan, faults),
        actor: options.actor ?? null,
        action: options.action === undefined ? null : actionIn(options.action, faults),
        from: options.from === undefined ? null : timestampIn("--from", options.from, faults),
        to: options.to === undefined ? null : timestampIn("--to", options.to, faults),
      };
      const limit = options.limit === undefined ? RECORDS_DEFAULT : limitIn(options.limit, RECORDS_MAX, faults);
      if (faults.length === 0 && filter.from && filter.to && filter.to <= filter.from)
        faults.push("--to must be later than --from");
      rejectFaults(faults);

      const { audit, clans } = await cli.servers.stores();
      const { clanId } = filter;
      const isKnown = clanId === null || (await clans.read([clanId])).has(clanId) || (await clans.wasDeleted(clanId));
      if (!isKnown) throw await unknownClan(clanId, clans);
      const { items } = await audit.list(filter, { limit, after: null });
      cli.print({ json: { records: items.map(recordJson) }, text: await textOf(cli, items) });
    });
}

function actionIn(text: string, faults: Faults): AuditAction | null {
  const action = auditActions.find((name) => name === text) ?? null;
  if (!action)
    faults.push(`--action is one of ${auditActions.join(", ")}, not "${text}".${didYouMean(text, auditActions)}`);
  return action;
}

function recordJson({ at, actor, via, action, clanId, target, before, after }: ListedRecord) {
  return { at: at.toISOString(), actor, via, action, clanId, target, before, after };
}

async function textOf(cli: Cli, records: readonly ListedRecord[]): Promise<string> {
  if (records.length === 0) return "No changes.";
  const names = await namesOfClans(cli, records);
  const rows = records.map((record) => {
    const { at, via, action, clanId, target } = record;
    const nameOf = (id: string): string => withName(names.get(clanId) ?? new Map(), id);
    const { platformId = null } = record.reversal ?? {};
    const sentence = auditSentence({
      ...record,
      ...(isOfMember(record) ? { member: { name: nameOf(target) } } : {}),
      ...(record.reversal && platformId !== null ? { reversal: { ...record.reversal, name: nameOf(platformId) } } : {}),
    });
    return [cli.format.time(at), via, clanId ?? "", action, sentence];
  });
  return table(["AT", "VIA", "CLAN", "ACTION", "CHANGE"], rows);
}

async function namesOfClans(
  cli: Cli,
  records: readonly ListedRecord[],
): Promise<ReadonlyMap<string | null, ShownNames>> {
  const named = records.flatMap((record) => {
    const platformId = isOfMember(record) ? record.target : record.reversal?.platformId;
    return platformId ? { clanId: record.clanId, platformId } : [];
  });
  const clanIds = [...new Set(named.flatMap(({ clanId }) => clanId ?? []))];
  const read = clanIds.map(async (clanId) => {
    const targets = named.filter((one) => one.clanId === clanId).map(({ platformId }) => platformId);
    return [clanId, await shownNames(cli, clanId, targets)] as const;
  });
  return new Map(await Promise.all(read));
}
