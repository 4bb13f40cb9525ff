// What the environment says to a command: the servers and the process's ops port, otherwise from the data folder of the
// running `npm start`; and the person who runs it (docs/reference/cli.md).
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { hostname, userInfo } from "node:os";
import { listeningUrl } from "#process/listening-url.ts";
import {
  isSecretsKey,
  NO_SECRETS_KEY,
  readNoted,
  type KeySetting,
  type NotedSetting,
} from "#process/noted-settings.ts";
import { blocksFault, blocksIn } from "#process/private-blocks.ts";
import { NO_ORIGIN, originIn, readSetting } from "#process/read-setting.ts";
import { isSameServer, readServerUrls, type ServerUrls } from "#process/server-urls.ts";
import { ACTOR_CHARS_MAX, isActorName, type Actor } from "#domain/audit.ts";
import { rejectFaults } from "../cli-error.ts";

export type Environment = Readonly<Record<string, string | undefined>>;
/**
 * `notedIn`: the file that was read, for the error message. `foreign`: the setting that names another server than this
 * file, whose other server is not used for this reason.
 */
export type FoundServers = ServerUrls & { notedIn: string; foreign: "MONGO_URL" | "REDIS_URL" | null };

export type Settings = {
  /** A URL is null if it is not known. */
  servers: FoundServers;
  /** The ops port of the process with the same settings. */
  opsUrl: string;
  /** The URL of the dashboard for people. */
  dashboardUrl: string;
  /** Whether the dashboard serves public pages. */
  publicPages: boolean;
  /** Null: not known. */
  secretsKey: string | null;
  /** Null: not known. */
  hookKey: string | null;
  /** The URL at which callers reach the API. */
  apiUrl: string;
  /** The blocks of WEBHOOK_ALLOW_PRIVATE. */
  allowPrivate: string[];
  /** Who runs the command. */
  actor: Actor;
};
type Reader<Value> = (env: Environment, faults: string[]) => Value;

/** After a fault the value is a placeholder. */
const readers: { [Name in keyof Settings]: Reader<Settings[Name]> } = {
  servers: readServers,
  opsUrl: readOpsUrl,
  dashboardUrl: readDashboardUrl,
  publicPages: readPublicPages,
  secretsKey: (env, faults) => readKey(env, "SECRETS_KEY", faults),
  hookKey: (env, faults) => readKey(env, "HOOK_KEY", faults),
  apiUrl: readApiUrl,
  allowPrivate: readAllowPrivate,
  actor: readActor,
};

export type ReadSettings = <Name extends keyof Settings>(...names: Name[]) => Pick<Settings, Name>;

/**
 * Throws CliError `usage` with all faults of the named settings. Values are never printed, because they may contain
 * passwords.
 */
export function makeReadSettings(env: Environment): ReadSettings {
  return <Name extends keyof Settings>(...names: Name[]) => {
    const faults: string[] = [];
    const read = Object.fromEntries(names.map((name) => [name, readers[name](env, faults)]));
    // Several settings are looked up in DATA_DIR.
    rejectFaults([...new Set(faults)]);
    return read as Pick<Settings, Name>;
  };
}

function readServers(env: Environment, faults: string[]): FoundServers {
  const before = faults.length;
  const { mongoUrl, redisUrl } = readServerUrls(env, faults);
  const notedIn = runFileOf(env, faults);
  if (faults.length > before) return { mongoUrl, redisUrl, notedIn, foreign: null };

  const noted = readRunFile(notedIn);
  const isOther = (given: string | null, known: string | null): boolean =>
    given !== null && known !== null && !isSameServer(given, known);
  // A URL of another installation must not be combined with the noted one.
  if (isOther(mongoUrl, noted.mongoUrl)) return { mongoUrl, redisUrl, notedIn, foreign: "MONGO_URL" };
  if (isOther(redisUrl, noted.redisUrl)) return { mongoUrl, redisUrl, notedIn, foreign: "REDIS_URL" };
  return { mongoUrl: mongoUrl ?? noted.mongoUrl, redisUrl: redisUrl ?? noted.redisUrl, notedIn, foreign: null };
}

const OPS_PORT_DEFAULT = "9090";

function readOpsUrl(env: Environment, faults: string[]): string {
  const host = readSetting(env, "OPS_HOST", faults) ?? readSetting(env, "HOST", faults) ?? "127.0.0.1";
  const port = readSetting(env, "OPS_PORT", faults);
  const notedIn = runFileOf(env, faults);
  const isPort = port === null || (/^\d{1,5}$/.test(port) && Number(port) <= 65535);
  if (!isPort) faults.push("OPS_PORT is not a port from 0 to 65535");
  const isFree = port !== null && Number(port) === 0;
  const noted = port === null || isFree ? readRunFile(notedIn).opsUrl : null;
  if (isPort && isFree && noted === null)
    faults.push(`OPS_PORT is 0, so a free port was chosen, and ${notedIn} does not name it: set OPS_PORT to that port`);
  return noted ?? listeningUrl(host, port ?? OPS_PORT_DEFAULT);
}

/** By name: passkeys work at no IP address. */
const DASHBOARD_URL_DEFAULT = "http://localhost:8081";

function readDashboardUrl(env: Environment, faults: string[]): string {
  const url = readSetting(env, "DASHBOARD_URL", faults);
  const origin = url === null ? null : originIn(url);
  if (url !== null && origin === null) faults.push(`DASHBOARD_URL ${NO_ORIGIN}`);
  return origin ?? readRunFile(runFileOf(env, faults)).dashboardUrl ?? DASHBOARD_URL_DEFAULT;
}

function readPublicPages(env: Environment, faults: string[]): boolean {
  const text = readSetting(env, "PUBLIC_PAGES", faults) ?? "on";
  if (text !== "on" && text !== "off") faults.push("PUBLIC_PAGES is neither on nor off");
  return text === "on";
}

const API_URL_DEFAULT = "http://127.0.0.1:8080";

function readApiUrl(env: Environment, faults: string[]): string {
  const url = readOrFindNoted(env, "API_URL", faults);
  const origin = url === null ? null : originIn(url);
  if (url !== null && origin === null) faults.push(`API_URL ${NO_ORIGIN}`);
  return origin ?? readRunFile(runFileOf(env, faults)).baseUrl ?? API_URL_DEFAULT;
}

function readKey(env: Environment, name: KeySetting, faults: string[]): string | null {
  const found = readOrFindNoted(env, name, faults);
  if (found !== null && !isSecretsKey(found)) faults.push(`${name} ${NO_SECRETS_KEY}`);
  return found;
}

function readAllowPrivate(env: Environment, faults: string[]): string[] {
  const found = readOrFindNoted(env, "WEBHOOK_ALLOW_PRIVATE", faults);
  const blocks = found === null ? [] : blocksIn(found);
  const fault = found === null ? null : blocksFault(blocks);
  if (fault !== null) faults.push(`WEBHOOK_ALLOW_PRIVATE ${fault}`);
  return blocks;
}

/** Otherwise what the `npm start` of this installation noted in the data folder; null: neither. */
function readOrFindNoted(env: Environment, name: NotedSetting, faults: string[]): string | null {
  const given = readSetting(env, name, faults);
  if (given !== null) return given;
  // What belongs to one installation would not fit another one.
  return readServers(env, faults).foreign === "MONGO_URL" ? null : readNoted(dataDirOf(env, faults), name);
}

function dataDirOf(env: Environment, faults: string[]): string {
  return readSetting(env, "DATA_DIR", faults) ?? ".data";
}

function runFileOf(env: Environment, faults: string[]): string {
  return join(dataDirOf(env, faults), "run.json");
}

/** The file exists while `npm start` serves, and is always complete. */
function readRunFile(path: string) {
  const noted = parsedOrNull(path);
  return {
    mongoUrl: textAt(noted, "mongoUrl"),
    redisUrl: textAt(noted, "redisUrl"),
    baseUrl: textAt(noted, "baseUrl"),
    opsUrl: textAt(noted, "opsUrl"),
    dashboardUrl: textAt(noted, "dashboardUrl"),
  };
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

/** CLANXP_ACTOR, otherwise user@host. */
function readActor(env: Environment, faults: string[]): Actor {
  const given = readSetting(env, "CLANXP_ACTOR", faults);
  if (given !== null && !isActorName(given))
    faults.push(`CLANXP_ACTOR is not 1 to ${ACTOR_CHARS_MAX} characters of plain text`);
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
