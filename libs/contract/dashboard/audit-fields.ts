// The fields of audit records for people: what each is called, and its values as text. Internal ids are not shown, and
// times have no seconds. A field that is not in the table gets a label from its name, so that a new one is readable.
import { XP_MAX } from "#domain/bounds.ts";
import { factorOf } from "#domain/boost.ts";
import type { ReversalFacts } from "#contract/dashboard/audit.ts";

/** What the text of a record is made from; `action` may be one of a newer version. */
export type DescribedRecord = {
  actor: string;
  action: string;
  target: string;
  /** What people call the target, where `target` is an id. */
  targetName?: string | undefined;
  /** The target, if it is a member, by the name that is known now. */
  member?: { name: string | null } | undefined;
  /** The reversal as it is stored now. */
  reversal?: ReversalFacts | undefined;
  before: object | null;
  after: object | null;
};

export type Facts = Readonly<Record<string, unknown>>;

/** `isLong`: its values do not fit in a sentence. `text` is only called with a value, and null means that it is none. */
type Field = { label: string; text?: (value: unknown) => string | null; isLong?: true };

/** Null: an internal id, or what another field says. */
const fields: Readonly<Record<string, Field | null>> = {
  id: null,
  name: { label: "Name" },
  autoClan: { label: "Auto Clan", text: onOff },
  xpFloor: { label: "Minimum XP", text: numberText },
  xpCap: { label: "Maximum XP", text: (value) => (value === XP_MAX.toString() ? null : numberText(value)) },
  amountMax: { label: "Largest amount", text: numberText },
  awardEvents: { label: "Award events", text: onOff },
  xpPerDay: { label: "XP per day", text: numberText },
  moderatorXpPerAward: { label: "Moderators' XP per award", text: numberText },
  moderatorXpPerDay: { label: "Moderators' XP per day", text: numberText },
  percent: { label: "Factor", text: (value) => `×${factorOf(Number(value))}` },
  from: { label: "From" },
  to: { label: "To" },
  placeIds: { label: "Places", isLong: true },
  endedAt: { label: "Ended" },
  scopes: { label: "Scopes" },
  requestsPerSecond: { label: "Requests per second", text: numberText },
  awardsPerSecond: { label: "Awards per second", text: numberText },
  expiresAt: { label: "Expires" },
  revokedAt: { label: "Revoked" },
  replacedBy: null,
  kind: { label: "Kind" },
  types: { label: "Events", isLong: true },
  only: { label: "Only", text: (value) => (value === "up" ? "rises and joins" : String(value)) },
  sendsTo: { label: "Sends to", isLong: true },
  target: { label: "Group or server" },
  roles: { label: "Roles", text: rolesText, isLong: true },
  requestsPerMinute: { label: "Requests per minute", text: numberText },
  cancelled: { label: "Cancelled", text: yesNo },
  xp: { label: "XP", text: numberText },
  membership: { label: "Member since", text: (value) => valueText((value as { since?: unknown }).since) },
  appointedRank: { label: "Appointed", text: () => "yes" },
  reversalId: null,
  by: { label: "Selected by" },
  keyId: null,
  batchId: { label: "Batch" },
  matchId: { label: "Match" },
  importName: { label: "Import" },
  lines: { label: "Lines", text: numberText },
  imported: { label: "Imported", text: numberText },
  repeated: { label: "Imported before", text: numberText },
  shortened: { label: "Shortened by the minimum or maximum XP", text: numberText },
  skipped: { label: "Skipped", text: numberText },
  xpGiven: { label: "XP given", text: numberText },
  selected: { label: "Awards", text: numberText },
  at: { label: "At" },
  every: { label: "Period" },
  on: { label: "On" },
  timeZone: { label: "Time zone" },
  settleHours: { label: "Settles for hours", text: numberText },
  seasons: { label: "Seasons", isLong: true },
  keepPercent: { label: "Share kept", text: (value) => `${String(value)} %` },
  members: { label: "Members", text: numberText },
  amount: { label: "XP taken", text: numberText },
  status: { label: "Status" },
  erasureId: null,
  operator: { label: "Operator", text: yesNo },
  clans: { label: "Access", text: accessText },
  hasPassword: { label: "Has a password", text: yesNo },
  passkey: null,
  issuer: { label: "Identity provider", isLong: true },
  subject: null,
  ended: { label: "Ended" },
  invited: { label: "Invited", text: yesNo },
  paused: { label: "Paused", text: yesNo },
  slug: { label: "Address" },
  names: { label: "Names of members", text: onOff },
  boards: { label: "Boards shown" },
  index: { label: "Search engines", text: onOff },
  frames: { label: "Embedding" },
};

const grouped = new Intl.NumberFormat("en");
const minutes = new Intl.DateTimeFormat("en", {
  year: "numeric",
  month: "short",
  day: "numeric",
  hour: "2-digit",
  minute: "2-digit",
  hourCycle: "h23",
  timeZone: "UTC",
});
const TIMESTAMP = /^\d{4}-\d{2}-\d{2}T[\d:.]+Z$/;

/** Groups of fields, such as `limits`, as fields beside the others. */
export function flat(facts: object | null): Facts {
  return Object.fromEntries(
    Object.entries(facts ?? {}).flatMap(([name, value]: [string, unknown]) =>
      isGroup(name, value) ? Object.entries(value) : [[name, value]],
    ),
  );
}

function isGroup(name: string, value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value) && !fieldOf(name)?.text;
}

/** Null for a field that is not shown. */
export function fieldOf(name: string): Field | null {
  const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
  if (field !== undefined) return field;
  return /Ids?$/.test(name) ? null : { label: wordsOf(name), isLong: true };
}

/** The value of this field; null if it is none. */
export function fieldText(name: string, value: unknown): string | null {
  if (value === null || value === undefined) return null;
  const { text } = fieldOf(name) ?? {};
  return text ? text(value) : valueText(value);
}

/** A label within a sentence: "Requests per second" is "requests per second", but XP and Auto Clan are names. */
export function lowerLabel({ label }: Pick<Field, "label">): string {
  return /^(?:[A-Z]{2}|Auto Clan)/.test(label) ? label : `${label.charAt(0).toLowerCase()}${label.slice(1)}`;
}

/** With separators; a text may be beyond the exact numbers of JavaScript. */
export function numberText(value: unknown): string {
  const text = String(value);
  return /^-?\d+$/.test(text) ? grouped.format(BigInt(text)) : text;
}

/** `1 award`, `1,200 awards`. */
export function countText(count: unknown, what: string): string {
  return `${numberText(count)} ${what}${String(count) === "1" ? "" : "s"}`;
}

/** `a, b and c`. */
export function listText(parts: readonly string[]): string {
  const last = parts.at(-1) ?? "";
  return parts.length < 2 ? last : `${parts.slice(0, -1).join(", ")} and ${last}`;
}

/** In UTC, because readers of an export may be in any time zone. */
export function timeText(timestamp: string): string {
  return `${minutes.format(new Date(timestamp))} UTC`;
}

/** The role of an account in clans: `owner of rovers`. */
function accessText(value: unknown): string | null {
  const grants = value as readonly { clanId: string; role: string }[];
  return grants.length === 0 ? null : listText(grants.map(({ clanId, role }) => `${role} of ${clanId}`));
}

function rolesText(value: unknown): string | null {
  const roles = Object.entries(value as Facts);
  return roles.length === 0 ? null : roles.map(([rank, role]) => `${rank} → ${String(role)}`).join(", ");
}

function valueText(value: unknown): string | null {
  if (value === null || value === undefined) return null;
  if (typeof value === "boolean") return yesNo(value);
  if (typeof value === "number") return numberText(value);
  if (typeof value === "string") return TIMESTAMP.test(value) ? timeText(value) : value;
  const parts = Array.isArray(value)
    ? value.map((item: unknown) => valueText(item))
    : Object.entries(value).map(([name, inner]) => (fieldOf(name) ? fieldText(name, inner) : null));
  const texts = parts.filter((part) => part !== null);
  return texts.length === 0 ? null : texts.join(", ");
}

function onOff(value: unknown): string {
  return value === true ? "on" : "off";
}

function yesNo(value: unknown): string {
  return value === true ? "yes" : "no";
}

/** `stateReason` is "State reason". */
function wordsOf(name: string): string {
  const words = name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
}

export function textIn(facts: object | null, name: string): string | null {
  const value = factsOf(facts)[name];
  return typeof value === "string" ? value : null;
}

export function factsOf(stored: object | null): Facts {
  return { ...stored };
}
