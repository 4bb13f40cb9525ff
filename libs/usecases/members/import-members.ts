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
import type { AwardCommitter } from "#usecases/awards/award-committer.ts";
import { BATCH_AWARD_DEADLINE_MS } from "#usecases/awards/bounds.ts";
import { IMPORT_FAULTS_REPORTED_MAX, IMPORT_LINES_TOGETHER } from "#usecases/members/bounds.ts";
import { findAppointment } from "#usecases/members/find-appointment.ts";
import type { Digest } from "#usecases/ports.ts";

/** `key` null: the name of the import is used, so an import adds to each member once. */
export type ImportLine = {
  line: number;
  platformId: string;
  xp: bigint | null;
  joins: boolean;
  /** The name of a STAFF or OWNER rank; it implies a membership. */
  appointedRank: string | null;
  reason: string | null;
  key: string | null;
};
export type BadLine = { line: number; detail: string };

/**
 * `imported`: something was applied. `repeated`: all of it had been applied before. `skipped`: at most a part could be
 * applied; `faults` are the first IMPORT_FAULTS_REPORTED_MAX of these lines with their reasons.
 */
export type ImportReport = { lines: number; imported: number; repeated: number; skipped: number; faults: BadLine[] };

/**
 * Lines are applied in order for each member. `dryRun` checks the lines and applies nothing. Throws AppError
 * `unavailable`, `busy` or `outcome_unknown` if the database fails; then import the same lines again.
 */
export type ImportMembers = (
  request: { clan: Clan; name: string; dryRun: boolean; onProgress?: (lines: number) => void },
  lines: AsyncIterable<ImportLine | BadLine>,
  by: Actor,
) => Promise<ImportReport>;

type LineResult = "imported" | "repeated" | { detail: string };

export function makeImportMembers(world: { committer: Pick<AwardCommitter, "submit">; digest: Digest }): ImportMembers {
  const { committer, digest } = world;

  return async function importMembers({ clan, name, dryRun, onProgress }, lines, by) {
    const report: ImportReport = { lines: 0, imported: 0, repeated: 0, skipped: 0, faults: [] };
    for await (const group of inGroups(lines)) {
      // Submitted in this order, so that a member's lines are committed in it.
      const results = await Promise.all(group.map((line) => importLine(line)));
      for (const [index, result] of results.entries()) note(report, group[index]?.line ?? 0, result);
      onProgress?.(report.lines);
    }
    report.faults.sort((a, b) => a.line - b.line);
    return report;

    async function importLine(line: ImportLine | BadLine): Promise<LineResult> {
      if ("detail" in line) return line;
      const changes = changesOf(line, { clan, name, by });
      if ("detail" in changes) return changes;
      if (dryRun) return "imported";
      const outcomes = await Promise.all(changes.map((change) => committer.submit(change, BATCH_AWARD_DEADLINE_MS)));
      return resultOf(outcomes, line.key ?? name);
    }
  };

  function changesOf(
    { platformId, xp, joins, appointedRank, reason, key }: ImportLine,
    { clan, name, by }: { clan: Clan; name: string; by: Actor },
  ): Award[] | { detail: string } {
    const lineKey = key ?? name;
    const common = { clanId: clan.clanId, platformId, apiKeyId: by.via, actor: by.actor };
    const changes: Award[] = [];
    if (joins || appointedRank !== null) {
      changes.push({
        ...common,
        kind: "membership",
        key: importKey("membership", lineKey),
        fingerprint: "",
        amount: 0n,
      });
    }
    if (appointedRank !== null) {
      const appointment = findAppointment(clan, appointedRank);
      if (appointment.kind !== "found")
        return { detail: `"${appointedRank}" is not a STAFF or OWNER rank of the clan` };
      const appoints = rankIdOf(appointment.rank);
      const appointed = { kind: "appointment", appoints, fingerprint: digest(appoints), amount: 0n } as const;
      changes.push({ ...common, ...appointed, key: importKey("appointment", lineKey) });
    }
    if (xp !== null) {
      const fingerprint = digest(JSON.stringify([xp.toString(), reason]));
      changes.push({
        ...common,
        key: importKey("xp", lineKey),
        fingerprint,
        amount: xp,
        ...(reason === null ? {} : { reason }),
      });
    }
    return changes;
  }
}

function resultOf(outcomes: readonly Outcome[], key: string): LineResult {
  const rejection = outcomes.find((outcome) => outcome.kind === "rejected");
  switch (rejection?.code) {
    case undefined:
      return outcomes.every((outcome) => outcome.kind === "replayed") ? "repeated" : "imported";
    case "member_not_found":
      return { detail: "the player has no membership, and the clan is not an Auto Clan" };
    case "idempotency_key_reused":
      return { detail: `the key "${key}" was imported for this member before, with other values` };
  }
}

function note(report: ImportReport, line: number, result: LineResult): void {
  report.lines += 1;
  if (typeof result === "string") {
    report[result] += 1;
    return;
  }
  report.skipped += 1;
  if (report.faults.length < IMPORT_FAULTS_REPORTED_MAX) report.faults.push({ line, detail: result.detail });
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
