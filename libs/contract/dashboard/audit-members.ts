// What records about members say: who was appointed, what XP they were given, and imports of many of them.
import { countText, factsOf, numberText, textIn, type DescribedRecord } from "#contract/dashboard/audit-fields.ts";
import { ERASED } from "#domain/erased.ts";

/** Of a reason in a sentence: the details have all of it. */
const REASON_CHARS_MAX = 100;

export function appointmentText(record: DescribedRecord): string {
  const { rank, appointedRank } = factsOf(record.after);
  if (appointedRank === null) return `ended the appointment of ${memberOf(record)}`;
  return `appointed ${memberOf(record)} to ${String(rank)}`;
}

export function xpText(record: DescribedRecord): string {
  const [before, after] = [factsOf(record.before), factsOf(record.after)];
  const change = BigInt(textIn(after, "xp") ?? 0) - BigInt(textIn(before, "xp") ?? 0);
  const reason = reasonText(after["reason"]);
  const member = memberOf(record);
  return change < 0n
    ? `took ${numberText(-change)} XP from ${member}${reason}`
    : `gave ${numberText(change)} XP to ${member}${reason}`;
}

/** Without counts, it has not ended: it runs, or its process has crashed. */
export function importText({ target, after }: DescribedRecord): string {
  const { lines, imported } = factsOf(after);
  if (imported === undefined) return `began the import ${target}, which has not ended`;
  const count = imported === lines ? "" : `${numberText(imported)} of `;
  return `imported ${count}${countText(lines, "line")} under the name ${target}`;
}

export function memberOf({ target, member }: DescribedRecord): string {
  return target === ERASED ? "an erased member" : (member?.name ?? target);
}

export function reasonText(reason: unknown): string {
  if (typeof reason !== "string" || reason === "") return "";
  const chars = [...reason];
  return `: ${chars.length > REASON_CHARS_MAX ? `${chars.slice(0, REASON_CHARS_MAX - 1).join("")}…` : reason}`;
}
