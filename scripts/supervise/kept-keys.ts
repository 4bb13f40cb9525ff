// The keys that encrypt secrets, of destinations and of erasure hooks: those that are given, otherwise those of the
// data folder, which are made once and never replaced. What is given is noted for other programs, such as the CLI,
// while the processes run.

import { randomBytes } from "node:crypto";
import { existsSync, readFileSync, rmSync } from "node:fs";
import { isSecretsKey, keyFile, notedSettings, notedSettingsFile, type KeySetting } from "#process/noted-settings.ts";
import { writeWhole } from "../system/private-files.ts";

const KEY_BYTES = 32;

type Given = Readonly<Record<string, string | undefined>>;

/** Throws if the file exists and holds no key: another key would open no secret that is stored. */
export function findOrMakeKey(dataDir: string, name: KeySetting): string {
  const file = keyFile(dataDir, name);
  if (!existsSync(file)) writeWhole(file, `${randomBytes(KEY_BYTES).toString("base64")}\n`);
  const key = readFileSync(file, "utf8").trim();
  if (isSecretsKey(key)) return key;
  throw new Error(
    `${file} holds no key (32 bytes in base64). Restore it from a backup. If there is none, delete the file: a new key is made, and ${needed[name]}`,
  );
}

const needed: Record<KeySetting, string> = {
  SECRETS_KEY: "every destination needs its secrets again",
  HOOK_KEY: "every erasure hook needs a new secret (clanxp erasure-hook rotate)",
};

/** `given`: as in the environment, in which keys come first. */
export function findOrMakeKeys(dataDir: string, given: Given): { secretsKey: string; hookKey: string } {
  return {
    secretsKey: given["SECRETS_KEY"] ?? findOrMakeKey(dataDir, "SECRETS_KEY"),
    hookKey: given["HOOK_KEY"] ?? findOrMakeKey(dataDir, "HOOK_KEY"),
  };
}

/** `given`: as in the environment. Returns what removes the note. */
export function noteGiven(dataDir: string, given: Given): () => void {
  const file = notedSettingsFile(dataDir);
  const noted = Object.fromEntries(notedSettings.flatMap((name) => (given[name] ? [[name, given[name]]] : [])));
  const remove = () => rmSync(file, { force: true });
  if (Object.keys(noted).length === 0) remove();
  else writeWhole(file, `${JSON.stringify(noted, undefined, 2)}\n`);
  return remove;
}
