// The text that `npm start` prints when everything is ready. Its commands work as printed. It never contains a secret,
// only the file of the secret.

import { existsSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { styleText } from "node:util";
import { root } from "../paths.js";
import { demoKeyFile } from "./demo.ts";
import type { ChosenServer } from "../servers/find-server.ts";

export type Screen = {
  baseUrl: string;
  opsUrl: string;
  dashboardUrl: string;
  /** Signs the owner of the demo clan in to the dashboard, once. */
  link: string;
  dataDir: string;
  /** Undefined if MONGO_URL is set. */
  mongod: ChosenServer | undefined;
  redis: ChosenServer | undefined;
};

/**
 * `forPeople`: commands in lines that fit a terminal, and in its styles; otherwise each command is one line, and the
 * link another. `isVerbose`: every reason why a server was not found elsewhere.
 */
export function firstScreen(
  screen: Screen,
  { forPeople, isVerbose }: { forPeople: boolean; isVerbose: boolean },
): string {
  const { baseUrl, opsUrl, dashboardUrl, link, dataDir, mongod, redis } = screen;
  const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const paint = (style: "bold" | "dim", text: string) => (forPeople ? styleText(style, text) : text);
  const keyFile = existsSync(demoKeyFile(dataDir)) ? demoKeyFile(dataDir) : null;
  const row = ([name = "", ...lines]: string[]) =>
    lines.map((line, index) => `  ${paint("bold", (index === 0 ? name : "").padEnd(COLUMN))}${line}`).join("\n");
  return [
    "",
    paint("bold", `Clan XP ${version} on Node ${process.versions.node}`),
    "",
    row([
      "Dashboard",
      `→ ${paint("bold", link)}`,
      ...(link === dashboardUrl ? [] : ["  The link signs you in, once."]),
    ]),
    row(["API", baseUrl]),
    row(["Health", `${opsUrl}/readyz`]),
    ...(keyFile === null ? [] : [row(["Key file", keyFile])]),
    row(["Data", dataDir]),
    row(["mongod", ...serverLines(mongod, "MONGO_URL", isVerbose)]),
    row(["redis", ...serverLines(redis, "REDIS_URL", isVerbose)]),
    "",
    ...(keyFile === null ? [] : tryIt(baseUrl, keyFile, forPeople, paint)),
    row(["Stop", "Ctrl-C; the data stays"]),
    row(["Read next", `${baseUrl}/docs/quick-start`]),
    "",
    ...(forPeople ? [] : [`dashboard ${link}`]),
    `ready ${baseUrl}`,
  ].join("\n");
}

/** The folder as people type it: relative in the folder of the clone. */
export function shownFolder(dataDir: string): string {
  const path = relative(process.cwd(), dataDir);
  return path === "" || path.startsWith("..") ? dataDir : path;
}

const COLUMN = 11;

/** What was chosen and why. */
function serverLines(server: ChosenServer | undefined, setting: string, isVerbose: boolean): string[] {
  if (!server) return [`the one that ${setting} names`];
  const { version, from, why, notFrom, note } = server;
  const notes = note ? [note] : [];
  if (isVerbose) return [`${version} from ${from}`, `(${why})`, ...notes];
  const instead = notFrom.length === 0 ? "" : ` (not usable: ${notFrom.join(", ")})`;
  return [`${version} from ${from.replace(/ package .*/, "")}${instead}`, ...notes];
}

function tryIt(baseUrl: string, keyFile: string, forPeople: boolean, paint: (style: "dim", text: string) => string) {
  const curl = (path: string, idempotencyKey: string, body: string) =>
    `    ${[
      `curl ${baseUrl}/v0/clans/demo${path}`,
      `-H "Authorization: Bearer $(cat ${quoted(keyFile)})"`,
      "-H 'Content-Type: application/json'",
      `-H 'Idempotency-Key: ${idempotencyKey}'`,
      `-d '${body}'`,
    ].join(forPeople ? " \\\n      " : " ")}`;
  const awards = ['{"platformId":"player-1","amount":50}', '{"platformId":"player-2","amount":120}'];
  const batch = [
    "  Deprecated: several awards as a batch.",
    "",
    curl("/xp", "first-batch", `{"awards":[${awards.join(forPeople ? ",\n        " : ",")}]}`),
  ];
  return [
    "  Try it in a second terminal. At 100 XP, a player joins the clan demo.",
    "",
    curl("/members/player-1/xp", "first-award", '{"amount":150,"reason":"won a match"}'),
    "",
    paint("dim", batch.join("\n")),
    "",
  ];
}

/** Quotes a text for a shell, if it needs quotes. */
function quoted(text: string) {
  return /^[\w./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
