// API keys in the output of the CLI. Only the result that created a key contains its secret.
import type { IssuedKey } from "#keys/issue-key.ts";
import type { Key } from "#domain/key.ts";
import type { CommandResult } from "../cli.ts";
import type { Format } from "./format.ts";
import { facts, table } from "./text.ts";

function factsOf(key: Key) {
  return {
    keyId: key.keyId,
    clanId: key.clanId,
    name: key.name,
    scopes: key.scopes,
    createdAt: key.createdAt.toISOString(),
    expiresAt: key.expiresAt?.toISOString() ?? null,
  };
}

function keyJson(key: Key) {
  return {
    ...factsOf(key),
    hint: key.hint,
    limits: key.limits,
    lastUsedAt: key.lastUsedAt?.toISOString() ?? null,
    revokedAt: key.revokedAt?.toISOString() ?? null,
    replacedBy: key.replacedBy,
  };
}

export function issuedKeyResult({ key, secret }: IssuedKey, note: string): CommandResult {
  const saved = `This is the API key. Save it now: only its hash is stored, so it cannot be shown again.${note}`;
  return {
    json: { ...factsOf(key), secret },
    text: (format) => `${textOf(key, format)}\n\n  ${secret}\n\n${saved}`,
  };
}

export function keyResult(key: Key, now: Date): CommandResult {
  return {
    json: keyJson(key),
    text: (format) => `${textOf(key, format)}\n${facts([["state  ", stateOf(key, now, format)]])}`,
  };
}

/** `spent`: what keys with a budget per day have awarded of it today. */
export function keysResult(keys: readonly Key[], spent: ReadonlyMap<string, number>, now: Date): CommandResult {
  return {
    json: { keys: keys.map((key) => ({ ...keyJson(key), ...spentIn(spent, key) })) },
    text(format) {
      const rows = keys.map((key) => {
        const today = spent.get(key.keyId);
        return [
          key.keyId,
          key.name,
          `…${key.hint}`,
          key.scopes.join(","),
          `${budgetOf(key, format)}${today === undefined ? "" : ` (${format.number(today)} today)`}`,
          key.lastUsedAt ? format.time(key.lastUsedAt) : "never",
          expiryOf(key, format),
          stateOf(key, now, format),
        ];
      });
      const header = ["KEY", "NAME", "KEY ENDING", "SCOPES", "BUDGET", "LAST USED", "EXPIRES", "STATE"];
      return keys.length === 0 ? "No keys yet." : table(header, rows);
    },
  };
}

/** Only for a key with a budget per day. */
function spentIn(spent: ReadonlyMap<string, number>, { keyId }: Key): { xpToday?: number } {
  const xpToday = spent.get(keyId);
  return xpToday === undefined ? {} : { xpToday };
}

function textOf(key: Key, format: Format): string {
  return facts([
    ["key", key.keyId],
    ["clan", key.clanId],
    ["name", key.name],
    ["scopes", key.scopes.join(", ")],
    ["limits", `requests ${perSecond(key.limits.requestsPerSecond)}, awards ${perSecond(key.limits.awardsPerSecond)}`],
    ["budget", budgetOf(key, format)],
    ["expires", expiryOf(key, format)],
  ]);
}

function budgetOf({ limits: { amountMax, xpPerDay } }: Key, { number }: Format): string {
  const parts = [
    ...(amountMax === null ? [] : [`${number(amountMax)} per award`]),
    ...(xpPerDay === null ? [] : [`${number(xpPerDay)} XP per day`]),
  ];
  return parts.join(", ") || "none";
}

function perSecond(limit: number | null): string {
  return limit === null ? "unlimited" : `${limit}/s`;
}

function expiryOf({ expiresAt }: Key, { time }: Format): string {
  return expiresAt ? time(expiresAt) : "never";
}

/** The words of the dashboard's page; in the order in which a request would be rejected. */
function stateOf({ revokedAt, expiresAt, replacedBy }: Key, now: Date, { time }: Format): string {
  if (revokedAt) return `revoked ${time(revokedAt)}`;
  const successor = replacedBy === null ? "" : `, replaced by ${replacedBy}`;
  if (expiresAt && expiresAt <= now) return `expired${successor}`;
  return replacedBy === null ? "live" : `rotated${successor}`;
}
