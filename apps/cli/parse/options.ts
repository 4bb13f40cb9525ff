// Parses arguments. Each function returns the value, or records a fault and returns a placeholder, so that all faults
// are reported together. `rejectFaults` follows the last one, before anything is done.
import { clanRoles, type Grant } from "#domain/account.ts";
import {
  AMOUNT_MAX_LIMIT,
  isClanId,
  isName,
  isPlatformId,
  NAME_CHARS_MAX,
  REASON_CHARS_MAX,
  XP_MAX,
  XP_MIN,
} from "#domain/bounds.ts";
import { rankKinds, type Rank, type RankKind } from "#domain/rank.ts";
import { scopes, type Scope } from "#domain/scope.ts";
import type { MemberRef } from "#domain/member-id.ts";
import { timestampOf } from "#domain/timestamp.ts";
import { didYouMean, rejectFaults } from "../cli-error.ts";

export type Faults = string[];

/** For an option that may be repeated. */
export function collect(word: string, earlier: readonly string[] | undefined): readonly string[] {
  return [...(earlier ?? []), word];
}

export function clanIdIn(text: string, faults: Faults): string {
  if (!isClanId(text)) faults.push(`"${text}" is not a clan id: it has 1 to 64 characters of A-Z a-z 0-9 _ -`);
  return text;
}

export function platformIdIn(text: string, faults: Faults): string {
  if (!isPlatformId(text))
    faults.push(
      `"${text}" is not a platform id: it has 1 to 64 characters of A-Z a-z 0-9 . _ : @ | -, and is not . or ..`,
    );
  return text;
}

export function nameIn(option: string, text: string, faults: Faults): string {
  if (!isName(text)) faults.push(`${option} is 1 to ${NAME_CHARS_MAX} characters of plain text, not "${text}"`);
  return text;
}

export function reasonIn(text: string | undefined, faults: Faults): string | null {
  if (text === undefined) return null;
  const isFit = [...text].length <= REASON_CHARS_MAX && text.isWellFormed() && !text.includes("\0");
  if (!isFit) faults.push(`--reason has at most ${REASON_CHARS_MAX} characters`);
  return text;
}

export function onOffIn(option: string, text: string, faults: Faults): boolean {
  if (text !== "on" && text !== "off") faults.push(`${option} is on or off, not "${text}"`);
  return text === "on";
}

/** Of the option of `grantIn`. */
export const ROLE_HELP =
  "owner: may do everything in the clan; moderator: may give and take XP, within bounds; viewer: may read it";

/** `otherwise`: what can be given in place of a clan. */
export function grantIn(options: { clan?: string; role?: string }, faults: Faults, otherwise = ""): Grant {
  const { clan = "", role: roleText = "" } = options;
  if (options.clan === undefined) faults.push(`--clan is missing: name the clan${otherwise}`);
  else clanIdIn(clan, faults);
  const role = clanRoles.find((known) => known === roleText);
  if (options.role === undefined) faults.push(`--role is missing: ${clanRoles.join(" or ")}`);
  else if (!role)
    faults.push(`--role is ${clanRoles.join(" or ")}, not "${roleText}".${didYouMean(roleText, clanRoles)}`);
  return { clanId: clan, role: role ?? "viewer" };
}

export function limitIn(text: string, max: number, faults: Faults): number {
  const limit = /^\d{1,6}$/.test(text) ? Number(text) : 0;
  if (limit < 1 || limit > max) faults.push(`--limit is a whole number from 1 to ${max}, not "${text}"`);
  return limit;
}

/** An integer of signed 64 bits. */
export function xpIn(option: string, text: string, faults: Faults): bigint {
  const xp = integerIn(text);
  if (xp !== null && xp >= XP_MIN && xp <= XP_MAX) return xp;
  faults.push(`${option} is an integer from ${XP_MIN} to ${XP_MAX}, not "${text}"`);
  return 0n;
}

export function amountMaxIn(option: string, text: string, faults: Faults): number {
  const amount = integerIn(text);
  if (amount !== null && amount >= 1n && amount <= AMOUNT_MAX_LIMIT) return Number(amount);
  faults.push(`${option} is an integer from 1 to ${AMOUNT_MAX_LIMIT}, not "${text}"`);
  return 0;
}

function integerIn(text: string): bigint | null {
  return /^[+-]?\d{1,40}$/.test(text) ? BigInt(text.replace("+", "")) : null;
}

/** The scopes in the order given, each once. */
export function scopesIn(words: readonly string[], faults: Faults): Scope[] {
  const chosen = new Set<Scope>();
  for (const word of words) {
    const scope = scopes.find((name) => name === word);
    if (scope) chosen.add(scope);
    else faults.push(`--scope is one of ${scopes.join(", ")}, not "${word}".${didYouMean(word, scopes)}`);
  }
  return [...chosen];
}

/** NAME:KIND[:THRESHOLD], parsed from the right, because a name may contain colons. */
export function rankIn(spec: string, faults: Faults): Rank {
  const parts = spec.split(":");
  const hasThreshold = kindIn(parts.at(-1)) === null && parts.length > 2;
  const thresholdText = hasThreshold ? parts.at(-1) : undefined;
  const kindText = parts.at(hasThreshold ? -2 : -1) ?? "";
  const name = parts.slice(0, hasThreshold ? -2 : -1).join(":");
  const fault = (reason: string): void => void faults.push(`--rank "${spec}": ${reason}`);

  const kind = kindIn(kindText);
  if (parts.length < 2) fault("it is NAME:KIND or NAME:NORMAL:THRESHOLD");
  else if (kind === null)
    fault(
      `the kind is one of ${rankKinds.join(", ")} in upper case, not "${kindText}".${didYouMean(kindText, rankKinds)}`,
    );
  if (parts.length > 1 && !isName(name)) fault(`the name is 1 to ${NAME_CHARS_MAX} characters of plain text`);
  if (kind !== "NORMAL") {
    if (kind !== null && thresholdText !== undefined)
      fault(`a ${kind} rank has no threshold: only NORMAL ranks are reached by XP`);
    return { name, kind: kind ?? "STAFF" };
  }
  const threshold = thresholdText === undefined ? null : integerIn(thresholdText);
  if (threshold === null) {
    fault(
      thresholdText === undefined
        ? `a NORMAL rank needs its threshold, as in ${name}:NORMAL:100`
        : `"${thresholdText}" is not an integer`,
    );
  }
  return { name, kind, threshold: threshold ?? 0n };
}

function kindIn(text: string | undefined): RankKind | null {
  return rankKinds.find((kind) => kind === text) ?? null;
}

/** OLD=NEW. A name may contain "=": OLD is the longest of the current names with which it can begin. */
export function renamesIn(specs: readonly string[], current: readonly string[], faults: Faults): Map<string, string> {
  const renames = new Map<string, string>();
  for (const spec of specs) {
    const ends = current.filter((name) => spec.startsWith(`${name}=`)).map((name) => name.length);
    const parted = ends.length > 0 ? Math.max(...ends) : spec.indexOf("=");
    const [from, to] = [spec.slice(0, Math.max(parted, 0)), spec.slice(parted + 1)];
    if (from === "" || !isName(to))
      faults.push(`--rename "${spec}": it is OLD=NEW, each 1 to ${NAME_CHARS_MAX} characters of plain text`);
    if (renames.has(from)) faults.push(`--rename: "${from}" is renamed twice`);
    renames.set(from, to);
  }
  return renames;
}

/** The member that a command names: <clanId> <platformId>. Throws CliError `usage` with all faults. */
export function memberIn(clanId: string, platformId: string): MemberRef {
  const faults: Faults = [];
  const member = { clanId: clanIdIn(clanId, faults), platformId: platformIdIn(platformId, faults) };
  rejectFaults(faults);
  return member;
}

const ISO = /^(\d{4}-\d{2}-\d{2})(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:\d{2}))?$/i;

/** As `timestampIn`; it must lie after `now`. */
export function futureIn(option: string, text: string, now: Date, faults: Faults): Date {
  const before = faults.length;
  const parsed = timestampIn(option, text, faults);
  if (faults.length === before && parsed <= now) faults.push(`${option} is in the past: ${parsed.toISOString()}`);
  return parsed;
}

/** RFC 3339 (T and Z in either case), also without seconds; or a date, which begins at midnight UTC. */
export function timestampIn(option: string, text: string, faults: Faults): Date {
  const parsed = timestampOf(text.toUpperCase());
  const date = ISO.exec(text)?.[1];
  // Date accepts February 30 as March 2.
  const exists = date !== undefined && !Number.isNaN(parsed.getTime()) && new Date(date).toISOString().startsWith(date);
  if (!exists) {
    faults.push(
      `${option} is a timestamp with time zone, as 2031-05-01T12:00:00Z, or a date, as 2031-05-01, not "${text}"`,
    );
    return new Date(0);
  }
  return parsed;
}

/** As `timestampIn`; or `now`, or a time before it, as -24h. */
export function timeIn(option: string, text: string, now: Date, faults: Faults): Date {
  if (text === "now") return now;
  if (text.startsWith("-"))
    return new Date(now.getTime() - durationMsIn(option, text.slice(1), TIME_AGO_MS_MAX, faults));
  return timestampIn(option, text, faults);
}

/** A span that ends after it begins. Earlier years count differently, and nobody has an award in them. */
export function spanIn(span: { from: string; to: string }, now: Date, faults: Faults): { from: Date; to: Date } {
  const before = faults.length;
  const [from, to] = [timeIn("--from", span.from, now, faults), timeIn("--to", span.to, now, faults)];
  if (faults.length > before) return { from, to };
  if (from >= to) faults.push("--to is not later than --from");
  if (from.getUTCFullYear() < 1000) faults.push("--from is before the year 1000");
  return { from, to };
}

/** Ten years. */
const TIME_AGO_MS_MAX = 3_650 * 86_400_000;

const unitMs = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

/** 0, 90s, 15m, 24h, 7d: at most `maxMs`. */
export function durationMsIn(option: string, text: string, maxMs: number, faults: Faults): number {
  const [, count = "", unit = ""] = /^(\d{1,12})(ms|s|m|h|d)$/.exec(text) ?? [];
  const known = Object.entries(unitMs).find(([name]) => name === unit);
  if (text === "0") return 0;
  if (!known) {
    faults.push(`${option} is a duration, as 0, 90s, 15m, 24h or 7d, not "${text}"`);
    return 0;
  }
  const ms = Number(count) * known[1];
  if (ms > maxMs) faults.push(`${option} is at most ${maxMs / unitMs.d}d, not ${text}`);
  return ms;
}
