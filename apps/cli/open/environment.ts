// What the environment says to a command: the servers and the process's ops port, otherwise from the data folder of the
// running `npm start`; and the person who runs it (docs/reference/cli.md).
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { hostname, userInfo } from "node:os";
import { isSecretsKey, NO_SECRETS_KEY, readNoted, type NotedSetting } from "#runtime/process/noted-settings.ts";
import { NO_ORIGIN, originIn, readSetting } from "#runtime/process/read-setting.ts";
import { readServerUrls, type ServerUrls } from "#runtime/process/server-urls.ts";
import { ACTOR_CHARS_MAX, isActorName, type Actor } from "#domain/audit.ts";
import { rejectFaults } from "../cli-error.ts";

export type Environment = Readonly<Record<string, string | undefined>>;
/** `notedIn`: the file that was read, for the error message. */
export type FoundServers = ServerUrls & { notedIn: string };

/**
 * Throws CliError `usage` if a setting cannot be read, or a URL cannot be used. Values are never printed, because they may
 * contain passwords.
 */
export function findServers(env: Environment): FoundServers {
  const faults: string[] = [];
  const { mongoUrl, redisUrl } = readServerUrls(env, faults);
  const notedIn = join(readSetting(env, "DATA_DIR", faults) ?? ".data", "run.json");
  rejectFaults(faults);
  if (mongoUrl !== null && redisUrl !== null) return { mongoUrl, redisUrl, notedIn };

  const noted = readRunFile(notedIn);
  // A URL of another installation must not be combined with the noted one.
  const isSameServer =
    (mongoUrl ?? noted.mongoUrl) === noted.mongoUrl && (redisUrl ?? noted.redisUrl) === noted.redisUrl;
  return isSameServer
    ? { mongoUrl: noted.mongoUrl, redisUrl: noted.redisUrl, notedIn }
    : { mongoUrl, redisUrl, notedIn };
}

const OPS_PORT_DEFAULT = 9090;

/** The ops port of the process with the same settings. Throws CliError `usage` if a setting is invalid. */
export function findOps(env: Environment): string {
  const faults: string[] = [];
  const host = readSetting(env, "OPS_HOST", faults) ?? readSetting(env, "HOST", faults) ?? "127.0.0.1";
  const port = readSetting(env, "OPS_PORT", faults);
  const notedIn = join(readSetting(env, "DATA_DIR", faults) ?? ".data", "run.json");
  const isPort = port === null || (/^\d{1,5}$/.test(port) && Number(port) > 0 && Number(port) <= 65535);
  if (!isPort) faults.push("OPS_PORT is not a port from 1 to 65535");
  rejectFaults(faults);
  return (
    (port === null ? readRunFile(notedIn).opsUrl : null) ??
    `http://${connectableHost(host)}:${port ?? OPS_PORT_DEFAULT}`
  );
}

const DASHBOARD_URL_DEFAULT = "http://127.0.0.1:8081";

/** The URL of the dashboard for people. Throws CliError `usage` if a setting is invalid. */
export function findDashboard(env: Environment): string {
  const faults: string[] = [];
  const url = readSetting(env, "DASHBOARD_URL", faults);
  const origin = url === null ? null : originIn(url);
  if (url !== null && origin === null) faults.push(`DASHBOARD_URL ${NO_ORIGIN}`);
  const notedIn = join(readSetting(env, "DATA_DIR", faults) ?? ".data", "run.json");
  rejectFaults(faults);
  return origin ?? readRunFile(notedIn).dashboardUrl ?? DASHBOARD_URL_DEFAULT;
}

/**
 * SECRETS_KEY, otherwise what the `npm start` of this installation noted in the data folder; null: neither. Throws
 * CliError `usage` if a setting cannot be read, or it is no key.
 */
export function findSecretsKey(env: Environment): string | null {
  const found = findNoted(env, "SECRETS_KEY");
  if (found !== null && !isSecretsKey(found)) rejectFaults([`SECRETS_KEY ${NO_SECRETS_KEY}`]);
  return found;
}

/** WEBHOOK_ALLOW_PRIVATE, in the same way; its text, not parsed. */
export function findAllowPrivate(env: Environment): string | null {
  return findNoted(env, "WEBHOOK_ALLOW_PRIVATE");
}

function findNoted(env: Environment, name: NotedSetting): string | null {
  const faults: string[] = [];
  const given = readSetting(env, name, faults);
  const dataDir = readSetting(env, "DATA_DIR", faults) ?? ".data";
  rejectFaults(faults);
  if (given !== null) return given;
  const noted = readRunFile(join(dataDir, "run.json")).mongoUrl;
  // What belongs to one installation would not fit another one.
  const isOther = noted !== null && findServers(env).mongoUrl !== noted;
  return isOther ? null : readNoted(dataDir, name);
}

/** If it listens on every address, the loopback address is used. */
function connectableHost(host: string): string {
  if (host === "0.0.0.0") return "127.0.0.1";
  if (host === "::") return "[::1]";
  return host.includes(":") ? `[${host}]` : host;
}

/** The file exists while `npm start` serves, and is always complete. */
function readRunFile(path: string): Record<"mongoUrl" | "redisUrl" | "opsUrl" | "dashboardUrl", string | null> {
  const noted = parsedOrNull(path);
  const [mongoUrl, redisUrl] = [textAt(noted, "mongoUrl"), textAt(noted, "redisUrl")];
  return { mongoUrl, redisUrl, opsUrl: textAt(noted, "opsUrl"), dashboardUrl: textAt(noted, "dashboardUrl") };
}

function parsedOrNull(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, "utf8"));
  } catch {
    return null;
  }
}

function textAt(noted: unknown, name: string): string | null {
  const value: unknown = typeof noted === "object" && noted !== null ? Reflect.get(noted, name) : undefined;
  return typeof value === "string" && value !== "" ? value : null;
}

/** CLANXP_ACTOR, otherwise user@host. Throws CliError `usage` if CLANXP_ACTOR cannot be a name. */
export function findActor(env: Environment): Actor {
  const faults: string[] = [];
  const given = readSetting(env, "CLANXP_ACTOR", faults);
  if (given !== null && !isActorName(given))
    faults.push(`CLANXP_ACTOR is not 1 to ${ACTOR_CHARS_MAX} characters of plain text`);
  rejectFaults(faults);
  return { actor: given ?? `${asWord(userName())}@${asWord(hostname())}`.slice(0, ACTOR_CHARS_MAX), via: "cli" };
}

function userName(): string {
  try {
    return userInfo().username;
  } catch {
    // In a container the user may have a number and no name.
    return process.getuid?.().toString() ?? "unknown";
  }
}

/** The characters that the parts of an address may have without quotes (RFC 5321). */
function asWord(text: string): string {
  return text.replaceAll(/[^\w.+-]/g, "_") || "unknown";
}
