// The record of callers, and the oracle that compares it with the ledger: an acknowledged award is applied once, a
// rejected one never, an unknown one at most once.
import type { Entry } from "#domain/entry.ts";
import { batchAwardKey, callerAwardKey, isForeignAwardKey } from "#domain/award-key.ts";
import { endsMembership } from "#domain/membership.ts";

/** The answer to one attempt of an award. `status` 0: the connection broke, so it is unknown. `code`: of an error. */
export type SeenAnswer = { status: number; xp: string | null; replayed: boolean; code: string | null };
/** An award as its caller remembers it: sent again under the same key until an answer was definite. */
export type SentAward = {
  platformId: string;
  key: string;
  amount: number;
  source?: { matchId: string };
  answers: SeenAnswer[];
};

/** Replays alone: an award that was also sent twice on purpose has its first answer beside them. */
export function isFirstAnswerMissing({ answers }: SentAward): boolean {
  return (
    answers.some(({ replayed }) => replayed) && !answers.some(({ status, replayed }) => status === 200 && !replayed)
  );
}

/** A batch in its caller's record: accepted with this id, and reported as done. */
export type SentBatch = {
  batchId: string;
  awards: readonly { platformId: string; amount: number }[];
  answers: readonly SeenAnswer[];
};

/**
 * Every contradiction between the ledger and the callers of batches: each award of each batch must be in the ledger
 * once.
 */
export function batchDisagreements(sent: readonly SentBatch[], ledger: readonly Entry[]): string[] {
  const ofBatches = Map.groupBy(
    ledger.filter((entry) => entry.batchId !== undefined),
    (entry) => entry.batchId,
  );
  const unsent = [...ofBatches.keys()].filter((batchId) => !sent.some((batch) => batch.batchId === batchId));
  return [
    ...unsent.map((batchId) => `${batchId}: applied, but nobody sent it`),
    ...sent
      .filter(({ answers }) => wasRejectedAndApplied(answers))
      .map(({ batchId, answers }) => `${batchId}: refused, but accepted: ${answersText(answers)}`),
    ...sent.flatMap(({ batchId, awards }) => {
      const entries = ofBatches.get(batchId) ?? [];
      const byKey = new Map(entries.map((entry) => [entry.key, entry]));
      const found =
        entries.length === awards.length ? [] : [`${batchId}: ${awards.length} awards, ${entries.length} entries`];
      for (const [index, award] of awards.entries()) {
        const entry = byKey.get(batchAwardKey(batchId, index));
        if (!entry) found.push(`${batchId}/${index}: not applied`);
        else if (entry.platformId !== award.platformId || Number(entry.amount) !== award.amount)
          found.push(`${batchId}/${index}: not what was sent`);
      }
      return found;
    }),
  ];
}

/**
 * Every contradiction between the ledger of one clan and the records of its callers; empty if every guarantee was
 * fulfilled.
 */
export function disagreements(
  sent: readonly SentAward[],
  ledger: readonly Entry[],
  /** Awards whose entry was written only after they had been asked for the last time. */
  isLate: (name: string) => boolean = () => false,
): string[] {
  const byAward = Map.groupBy(ledger, (entry) => `${entry.platformId} ${entry.key}`);
  const known = new Set(sent.map(nameOf));
  return [
    ...sent.flatMap((award) => disagreementsOf(award, byAward.get(nameOf(award)) ?? [], isLate(nameOf(award)))),
    ...ledger
      // Changes of an operator's command have another key; reversals have another oracle.
      .filter(({ kind }) => kind !== "reversal")
      .filter(
        (entry) =>
          !known.has(`${entry.platformId} ${entry.key}`) && (entry.kind === undefined || isForeignAwardKey(entry.key)),
      )
      .map((entry) => `${entry.platformId} ${entry.key}: applied, but nobody sent it`),
    ...[...Map.groupBy(ledger, (entry) => entry.platformId).values()].flatMap(inconsistentEntries),
  ];
}

function nameOf(award: SentAward): string {
  return `${award.platformId} ${callerAwardKey(award.key)}`;
}

function disagreementsOf(award: SentAward, entries: readonly Entry[], isLate: boolean): string[] {
  const found: string[] = [];
  const report = (what: string): void => void found.push(`${nameOf(award)}: ${what}`);
  const acknowledged = award.answers.filter((answer) => answer.status === 200);
  const [entry] = entries;

  if (entries.length > 1) report(`applied ${entries.length} times`);
  if (acknowledged.length > 0 && !entry) report("acknowledged, but not applied");
  if (entry && Number(entry.amount) !== award.amount)
    report(`${award.amount} was asked for, ${entry.amount} is in the ledger`);
  for (const answer of acknowledged) {
    if (entry && answer.xp !== entry.xp.toString()) report(`answered xp ${answer.xp}, the ledger says ${entry.xp}`);
  }
  if (acknowledged.filter((answer) => !answer.replayed).length > 1)
    report("applied anew more than once, say its answers");
  if (wasRejectedAndApplied(award.answers))
    report(`refused, but applied, since acknowledged as a repeat: ${answersText(award.answers)}`);
  // Each of these says: not applied, and never will be. Only a broken connection and `outcome_unknown` leave it open.
  const rejections = award.answers.filter((answer) => answer.status >= 400 && answer.code !== "outcome_unknown");
  if (entry && rejections.length === award.answers.length)
    report(`refused (${rejections.map((answer) => answer.code).join(", ")}), but applied`);
  // A caller stops after a final answer: it must be true, whatever the earlier answers were.
  const last = award.answers.at(-1);
  if (entry && !isLate && last && isFinalRejection(last))
    report(`refused at last (${last.code}), but applied: ${answersText(award.answers)}`);
  return found;
}

/** No retry is advised. */
function isFinalRejection({ status }: SeenAnswer): boolean {
  return status >= 400 && status < 500 && status !== 408 && status !== 429;
}

/**
 * Some sending took effect, since another is called its repeat; but each was answered, and none of the answers said so.
 */
function wasRejectedAndApplied(answers: readonly SeenAnswer[]): boolean {
  const isOpen = ({ status, code }: SeenAnswer): boolean => status === 0 || code === "outcome_unknown";
  const acknowledged = answers.filter(({ status }) => status >= 200 && status < 300);
  return acknowledged.length > 0 && acknowledged.every(({ replayed }) => replayed) && !answers.some(isOpen);
}

function answersText(answers: readonly SeenAnswer[]): string {
  return answers
    .map(({ status, code, replayed }) => [status, ...(code ? [code] : []), ...(replayed ? ["replayed"] : [])].join(" "))
    .join(", ");
}

/**
 * One member's entries must be numbered 1..n, and each XP be the one before plus what was applied. A membership is
 * created once, and after a removal only by an operator.
 */
function inconsistentEntries(entries: readonly Entry[]): string[] {
  const found: string[] = [];
  let xp = 0n;
  let [joined, removed] = [false, false];
  for (const [index, entry] of [...entries].sort((a, b) => a.seq - b.seq).entries()) {
    xp += entry.applied;
    if (entry.seq !== index + 1) found.push(`${entry.platformId}: entry ${index + 1} has seq ${entry.seq}`);
    if (entry.membershipCreated && joined) found.push(`${entry.platformId}: a membership created twice`);
    if (entry.membershipCreated && removed && entry.kind !== "membership")
      found.push(`${entry.platformId}: taken back by itself`);
    joined = entry.membershipCreated || (joined && !endsMembership(entry));
    removed = endsMembership(entry) || (removed && !entry.membershipCreated);
    if (entry.memberSince !== undefined && (entry.memberSince !== null) !== joined)
      found.push(`${entry.platformId}: entry ${entry.seq} has the wrong membership`);
    if ((entry.removed ?? false) !== removed)
      found.push(`${entry.platformId}: entry ${entry.seq} forgets or invents a removal`);
    if (entry.xp !== xp) found.push(`${entry.platformId}: xp ${entry.xp} after entry ${entry.seq}, the sum says ${xp}`);
  }
  return found;
}
