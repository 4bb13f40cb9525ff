// The text that `npm start` prints when everything is ready. Its commands work as printed. It never contains a secret,
// only the file of the secret.

import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../paths.js";
import { demoKeyFile } from "./demo.ts";
import type { ChosenServer } from "../servers/find-server.ts";

export function firstScreen({
  baseUrl,
  opsUrl,
  link,
  dataDir,
  mongod,
  redis,
}: {
  baseUrl: string;
  opsUrl: string;
  /** Signs the owner of the demo clan in to the dashboard, once. */
  link: string;
  dataDir: string;
  /** Undefined if MONGO_URL is set. */
  mongod: ChosenServer | undefined;
  redis: ChosenServer | undefined;
}): string {
  const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const rows = [
    ["clanxp", version],
    ["node", process.version],
    ["mongod", serverText(mongod, "MONGO_URL")],
    ["redis", serverText(redis, "REDIS_URL")],
    ["data", dataDir],
    ["health", `${opsUrl}/readyz`],
  ];
  const table = rows.map(([name = "", text]) => `  ${name.padEnd(8)}${text}`);
  return ["", ...table, "", ...demo(baseUrl, dataDir), `dashboard ${link}`, `ready ${baseUrl}`].join("\n");
}

function serverText(server: ChosenServer | undefined, setting: string) {
  if (!server) return `the one that ${setting} names`;
  return `${server.version}, ${server.from} (${server.why})${server.note ? `\n          ${server.note}` : ""}`;
}

function demo(baseUrl: string, dataDir: string) {
  const keyFile = demoKeyFile(dataDir);
  if (!existsSync(keyFile)) return [];
  const key = `-H "Authorization: Bearer $(cat ${quoted(keyFile)})" -H 'Content-Type: application/json'`;
  const batch = JSON.stringify({
    awards: [
      { platformId: "player-1", amount: 50 },
      { platformId: "player-2", amount: 120 },
    ],
  });
  return [
    "Players who reach 100 XP become members of the clan demo. Send one award, or the deprecated batch:",
    "",
    `  curl ${key} -d '{"amount": 150, "reason": "won a match"}' ${baseUrl}/v0/clans/demo/members/player-1/xp`,
    "",
    `  curl ${key} -d '${batch}' ${baseUrl}/v0/clans/demo/xp`,
    "",
  ];
}

/** Quotes a text for a shell. */
function quoted(text: string) {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
