// Imports members and XP, one line for each: a membership, an appointment and an award through the committer, like any
// other.
//
// Invariant: a line counts once. The keys of its changes are derived from the line's key, so importing it again replays
// them.
import type { Actor } from "#domain/audit.ts";
import { importKey } from "#domain/award-key.ts";
import type { Award } from "#domain/award.ts";
import type { Outcome } from "#domain/outcome.ts";
import type { Clan } from "#domain/clan.ts";
import { rankIdOf } from "#domain/rank.ts";
import { IMPORT_LINES_MAX, IMPORT_LINES_LISTED_MAX, IMPORT_LINES_TOGETHER } from "#members/bounds.ts";
import type { ImportRecord, OpenImportRecord } from "#members/import-log.ts";
import { findAppointment } from "#members/find-appointment.ts";
import { makeImportNames, type ImportedName } from "#members/import-names.ts";
import type { SettleChanges } from "#members/settle-changes.ts";
import type { NameStore } from "#names/ports.ts";
import type { Digest } from "#kernel/digest.ts";

/** `key` null: the name of the import is used, so an import adds to each member once. */
export type ImportLine = {
  line: number;
  platformId: string;
  xp: bigint | null;
  joins: boolean;
  /** The name of a STAFF or OWNER rank; it implies a membership. */
  appointedRank: string | null;
  /** Null: that of the import. */
  reason: string | null;
  key: string | null;
  /** Null: the stored one stays. */
  name: string | null;
};
export type BadLine = { line: number; detail: string };

/**
 * `imported`: something was applied. `repeated`: all of it had been applied before this import. `repeatedInFile`: all
 * of it was applied by an earlier line of the file. `skipped`: at most a part could be applied. `shortened`: lines,
 * counted as imported too, whose XP the clan's floor or cap has shortened. `faults` are the skipped lines and `notes`
 * the repeated and shortened ones with their reasons, the first IMPORT_LINES_LISTED_MAX of each.
 */
export type ImportReport = {
  lines: number;
  imported: number;
  repeated: number;
  repeatedInFile: number;
  shortened: number;
  skipped: number;
  faults: BadLine[];
  notes: BadLine[];
};

/**
 * Lines are applied in order for each member. `silent`: they have no events. Throws AppError `unavailable`, `busy` or
 * `outcome_unknown` if the database fails; then import the same lines again.
 */
export type ImportMembers = (
  request: { clan: Clan; name: string; silent: boolean; onProgress?: (lines: number) => void },
  lines: AsyncIterable<ImportLine | BadLine>,
  by: Actor,
) => Promise<ImportReport>;

type LineResult =
  | { kind: "imported" | "repeated" }
  | { kind: "repeatedInFile" | "shortened" | "skipped"; detail: string };
type Settled = { change: Award; outcome: Outcome | undefined };

/** `settle` commits the changes in this order, or only decides them: then, there is no record. */
export function makeImportMembers(deps: {
  settle: SettleChanges;
  names: Pick<NameStore, "read" | "set">;
  digest: Digest;
  openRecord?: OpenImportRecord;
}): ImportMembers {
  return async function importMembers(request, lines, by) {
    const [report, given] = [newReport(), { xp: 0n }];
    const record = deps.openRecord?.(request, by) ?? NO_RECORD;
    try {
      await importLines(request, lines, { by, report, given, record });
      for (const listed of [report.faults, report.notes]) listed.sort((a, b) => a.line - b.line);
      return report;
    } finally {
      await record.end(report, given.xp);
    }
  };

  /** Counts into `report` and `given`, which therefore have what was imported before an error. */
  async function importLines(
    { clan, name, silent, onProgress }: Parameters<ImportMembers>[0],
    lines: Parameters<ImportMembers>[1],
    { by, report, given, record }: { by: Actor; report: ImportReport; given: { xp: bigint }; record: ImportRecord },
  ): Promise<void> {
    const { settle, names, digest } = deps;
    /** The first line of the file that each change was made for. */
    const firstLines = new Map<string, number>();
    const importNames = makeImportNames(names, clan.clanId);
    for await (const group of inGroups(lines)) {
      const planned = group.map((line, index) =>
        report.lines + index < IMPORT_LINES_MAX ? planOf(line, { clan, name, silent, by, digest }) : TOO_MANY_LINES,
      );
      const changes = planned.flatMap((plan) => ("detail" in plan ? [] : plan.changes));
      await record.beginBefore(changes);
      const named = planned.flatMap((plan) => ("detail" in plan ? [] : (plan.named ?? [])));
      const changedNames = await importNames(named, record.begin);
      // Submitted in this order, so that a member's lines are committed in it.
      const settledAll = await settle(clan, changes);
      given.xp += xpGivenBy(settledAll);
      const outcomes = settledAll.values();
      for (const [index, plan] of planned.entries()) {
        const line = group[index]?.line ?? 0;
        if ("detail" in plan) {
          note(report, line, { kind: "skipped", detail: plan.detail });
          continue;
        }
        const settled = plan.changes.map((change) => ({ change, outcome: outcomes.next().value }));
        const result = resultOf(settled, plan.key, firstLines);
        const isNew = plan.named !== null && changedNames.has(plan.named) && result.kind.startsWith("repeated");
        note(report, line, isNew ? { kind: "imported" } : result);
        for (const { change, outcome } of settled) {
          const id = changeIdOf(change);
          if (outcome?.kind !== "rejected" && !firstLines.has(id)) firstLines.set(id, line);
        }
      }
      onProgress?.(report.lines);
    }
  }
}

const NO_RECORD: ImportRecord = { begin: async () => {}, beginBefore: async () => {}, end: async () => {} };

function xpGivenBy(outcomes: readonly Outcome[]): bigint {
  return outcomes.reduce((sum, outcome) => (outcome.kind === "applied" ? sum + outcome.entry.applied : sum), 0n);
}

function newReport(): ImportReport {
  const counts = { lines: 0, imported: 0, repeated: 0, repeatedInFile: 0, shortened: 0, skipped: 0 };
  return { ...counts, faults: [], notes: [] };
}

function planOf(
  line: ImportLine | BadLine,
  { clan, name, silent, by, digest }: { clan: Clan; name: string; silent: boolean; by: Actor; digest: Digest },
): { key: string; changes: Award[]; named: ImportedName | null } | { detail: string } {
  if ("detail" in line) return line;
  const { platformId, xp, joins, appointedRank, reason } = line;
  const key = line.key ?? name;
  const common = {
    clanId: clan.clanId,
    platformId,
    apiKeyId: by.via,
    actor: by.actor,
    reason: `import ${name}`,
    importName: name,
    ...(silent ? { silent: true as const } : {}),
  };
  const changes: Award[] = [];
  if (joins || appointedRank !== null) {
    const joined = { kind: "membership", fingerprint: "", amount: 0n } as const;
    changes.push({ ...common, ...joined, key: importKey("membership", key) });
  }
  if (appointedRank !== null) {
    const appointment = findAppointment(clan, appointedRank);
    if (appointment.kind !== "found")
      return { detail: `"${appointedRank}" is not a rank that the clan gives by appointment` };
    const appoints = rankIdOf(appointment.rank);
    const appointed = { kind: "appointment", appoints, fingerprint: digest(appoints), amount: 0n } as const;
    changes.push({ ...common, ...appointed, key: importKey("appointment", key) });
  }
  if (xp !== null) {
    const fingerprint = digest(JSON.stringify([xp.toString(), reason]));
    const award = { key: importKey("xp", key), fingerprint, amount: xp };
    changes.push({ ...common, ...award, ...(reason === null ? {} : { reason }) });
  }
  return { key, changes, named: line.name === null ? null : { platformId, name: line.name } };
}

const TOO_MANY_LINES = {
  detail: `the file has more than ${IMPORT_LINES_MAX} lines: import the rest from another file under the same --name`,
};

/** Identifies a change within its clan. */
function changeIdOf({ platformId, key }: Award): string {
  return `${platformId} ${key}`;
}

function resultOf(settled: readonly Settled[], key: string, firstLines: ReadonlyMap<string, number>): LineResult {
  for (const { change, outcome } of settled) {
    if (outcome?.kind !== "rejected") continue;
    if (outcome.code === "member_not_found")
      return { kind: "skipped", detail: "the player has no membership, and the clan is not an Auto Clan" };
    const first = firstLines.get(changeIdOf(change));
    const detail =
      first === undefined
        ? `the key "${key}" was imported for this member before, with other values`
        : `repeated in this file with other values: line ${first} has the same member and the same key "${key}"`;
    return { kind: "skipped", detail };
  }
  if (settled.every(({ outcome }) => outcome?.kind === "replayed")) {
    const first = settled.map(({ change }) => firstLines.get(changeIdOf(change))).find((line) => line !== undefined);
    if (first === undefined) return { kind: "repeated" };
    return {
      kind: "repeatedInFile",
      detail: `repeated in this file: line ${first} has the same member and the same key "${key}", and counts once`,
    };
  }
  for (const { change, outcome } of settled) {
    if (outcome?.kind !== "applied" || outcome.entry.applied === change.amount) continue;
    const { applied } = outcome.entry;
    return { kind: "shortened", detail: `the clan's floor or cap shortens ${change.amount} XP to ${applied} XP` };
  }
  return { kind: "imported" };
}

function note(report: ImportReport, line: number, result: LineResult): void {
  report.lines += 1;
  report[result.kind] += 1;
  if (result.kind === "shortened") report.imported += 1;
  if (!("detail" in result)) return;
  const listed = result.kind === "skipped" ? report.faults : report.notes;
  if (listed.length < IMPORT_LINES_LISTED_MAX) listed.push({ line, detail: result.detail });
}

async function* inGroups<T>(items: AsyncIterable<T>): AsyncGenerator<T[]> {
  let group: T[] = [];
  for await (const item of items) {
    group.push(item);
    if (group.length < IMPORT_LINES_TOGETHER) continue;
    yield group;
    group = [];
  }
  if (group.length > 0) yield group;
}
