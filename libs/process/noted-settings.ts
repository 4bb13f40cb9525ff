// What `npm start` leaves in its data folder for processes that are started beside it: the keys that encrypt secrets, and
// what it was given in the environment. A process's own environment comes first.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { readSetting } from "#process/read-setting.ts";

/** Only these: other settings have the same default everywhere. */
export const notedSettings = [
  "SECRETS_KEY",
  "WEBHOOK_ALLOW_PRIVATE",
  "HOOK_KEY",
  "API_URL",
  "DASHBOARD_URL",
  "PUBLIC_PAGES",
] as const;
export type NotedSetting = (typeof notedSettings)[number];

/** Those that are made once, and kept. */
const keyFiles = { SECRETS_KEY: "secrets-key", HOOK_KEY: "hook-key" } as const;
export type KeySetting = keyof typeof keyFiles;
export const keyFile = (dataDir: string, name: KeySetting): string => join(dataDir, keyFiles[name]);
/** What `npm start` was given; exists while it runs. */
export const notedSettingsFile = (dataDir: string): string => join(dataDir, "settings.json");

const KEY_BYTES = 32;
export const NO_SECRETS_KEY = `is not base64 of ${KEY_BYTES} bytes, or several, separated by commas`;

/** Base64 has one spelling for each key; another one is a key that was cut or typed wrongly. */
export function isSecretsKey(text: string): boolean {
  return text.split(",").every((key) => {
    const bytes = Buffer.from(key.trim(), "base64");
    return bytes.length === KEY_BYTES && bytes.toString("base64") === key.trim();
  });
}

/** Null if nothing is noted. */
export function readNoted(dataDir: string, name: NotedSetting): string | null {
  const noted = textAt(parsedOrNull(notedSettingsFile(dataDir)), name);
  return noted ?? (isKey(name) ? textOrNull(keyFile(dataDir, name))?.trim() || null : null);
}

function isKey(name: NotedSetting): name is KeySetting {
  return name in keyFiles;
}

/** The environment, and what is noted of these settings if it does not have them. */
export function withNoted(
  env: Readonly<Record<string, string | undefined>>,
  names: readonly NotedSetting[],
): Readonly<Record<string, string | undefined>> {
  const dataDir = readSetting(env, "DATA_DIR", []) ?? ".data";
  const missing = names.filter((name) => !env[name] && !env[`${name}_FILE`]);
  const noted = missing.map((name) => [name, readNoted(dataDir, name) ?? undefined] as const);
  return { ...env, ...Object.fromEntries(noted) };
}

function textOrNull(path: string): string | null {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return null;
  }
}

function parsedOrNull(path: string): unknown {
  try {
    return JSON.parse(textOrNull(path) ?? "null");
  } catch {
    return null;
  }
}

function textAt(noted: unknown, name: string): string | null {
  const value: unknown = typeof noted === "object" && noted !== null ? Reflect.get(noted, name) : undefined;
  return typeof value === "string" && value !== "" ? value : null;
}
