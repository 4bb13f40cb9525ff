// The key of destinations' secrets: the one that is given, otherwise the one of the data folder, which is made once and
// never replaced. What is given is noted for other programs, such as the CLI, while the processes run.

import { randomBytes } from "node:crypto";
import { existsSync, readFileSync, rmSync } from "node:fs";
import { isSecretsKey, notedSettingsFile, secretsKeyFile } from "#runtime/process/noted-settings.ts";
import { writeWhole } from "../system/private-files.ts";

const KEY_BYTES = 32;

/** Throws if the file exists and holds no key: another key would open no secret that is stored. */
export function findOrMakeSecretsKey(dataDir: string): string {
  const file = secretsKeyFile(dataDir);
  if (!existsSync(file)) writeWhole(file, `${randomBytes(KEY_BYTES).toString("base64")}\n`);
  const key = readFileSync(file, "utf8").trim();
  if (isSecretsKey(key)) return key;
  throw new Error(
    `${file} holds no key (32 bytes in base64). Restore it from a backup. If there is none, delete the file: a new key is made, and every destination needs its secrets again`,
  );
}

/** `given`: as in the environment. Returns what removes the note. */
export function noteGiven(dataDir: string, given: Readonly<Record<string, string>>): () => void {
  const file = notedSettingsFile(dataDir);
  const { SECRETS_KEY, WEBHOOK_ALLOW_PRIVATE } = given;
  const remove = () => rmSync(file, { force: true });
  if (SECRETS_KEY === undefined && WEBHOOK_ALLOW_PRIVATE === undefined) remove();
  else writeWhole(file, `${JSON.stringify({ SECRETS_KEY, WEBHOOK_ALLOW_PRIVATE }, undefined, 2)}\n`);
  return remove;
}
