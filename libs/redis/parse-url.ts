// REDIS_URL: which faults it has, and which servers it names: a single one, the Sentinels of a master, or nodes of a
// Cluster. Needs no driver.
//
// Options that would change what the code relies on are ignored. They must not reach ioredis in a URL, because it
// prefers those of the URL to those of the code.
import { splitServerUrl, type ServerUrl, type SplitUrl, type UrlOption } from "#mongo/server-url.ts";

export type RedisNode = { host: string; port: number };
/** How to connect, as ioredis spells it. */
export type RedisAccess = {
  username?: string;
  password?: string;
  tls?: object;
  family?: number;
  connectionName?: string;
};
export type RedisServers = {
  nodes: RedisNode[];
  access: RedisAccess;
  /** Names of ignored options. */ ignored: string[];
} & (
  | { kind: "single"; db: number; /** A Unix socket instead of the node. */ socket: string | null }
  | { kind: "sentinel"; db: number; master: string; sentinelAccess: Pick<RedisAccess, "username" | "password" | "tls"> }
  | { kind: "cluster" }
);
export type SentinelUser = { username: string | null; password: string | null };

const KINDS = {
  "redis:": { kind: "single", tls: false, port: 6379 },
  "rediss:": { kind: "single", tls: true, port: 6379 },
  "redis+sentinel:": { kind: "sentinel", tls: false, port: 26379 },
  "rediss+sentinel:": { kind: "sentinel", tls: true, port: 26379 },
  "redis+cluster:": { kind: "cluster", tls: false, port: 6379 },
  "rediss+cluster:": { kind: "cluster", tls: true, port: 6379 },
} as const;
const SCHEMES = Object.keys(KINDS).map((name) => `${name}//`);

/** Exactly as ioredis spells them. */
const OPTIONS: ReadonlySet<string> = new Set([
  "username",
  "password",
  "db",
  "tls",
  "family",
  "path",
  "connectionName",
  "sentinelUsername",
  "sentinelPassword",
]);
const DB = /^\d{1,9}$/;

/** Why the URL cannot be used. No value is part of a fault. */
export function redisUrlFaults(text: string): string[] {
  const { url, faults } = split(text);
  if (url === null) return faults;
  return [...faults, ...hostFaults(url), ...pathFaults(url), ...optionFaults(url)];
}

/** Throws if the URL has a fault. */
export function parseRedisUrl(text: string): RedisServers {
  const { url } = split(text);
  const faults = redisUrlFaults(text);
  if (url === null || faults.length > 0) throw new Error(`The URL of Redis ${faults.join("; ")}.`);
  const { kind, port: usualPort } = kindOf(url);
  const nodes = url.hosts.map(({ host, port }) => ({ host, port: port ?? usualPort }));
  const ignored = url.options.map(({ name }) => name).filter((name) => !OPTIONS.has(name));
  const common = { nodes, access: accessOf(url), ignored: [...new Set(ignored)] };
  const option = optionsOf(url);
  if (kind === "cluster") return { kind, ...common };
  if (kind === "single") return { kind, ...common, db: Number(url.path || option("db") || 0), socket: option("path") };
  const sentinelAccess = {
    ...textsOf({ username: option("sentinelUsername"), password: option("sentinelPassword") }),
    ...tlsOf(url),
  };
  return { kind, ...common, db: Number(option("db") ?? 0), master: url.path, sentinelAccess };
}

/** Its servers and its database: one text for all spellings and users. Throws if the URL has a fault. */
export function placeOfRedis(text: string): string {
  const url = parseRedisUrl(text);
  const servers = url.nodes.map(({ host, port }) => `${host.toLowerCase()} ${port}`);
  if (url.kind === "cluster") return JSON.stringify([url.kind, servers]);
  return JSON.stringify([url.kind, servers, url.db, url.kind === "sentinel" ? url.master : url.socket]);
}

/** The URL with the user that Sentinel itself knows, so that one text names everything. */
export function withSentinelUser(text: string, { username, password }: SentinelUser): string {
  const options = new URLSearchParams(textsOf({ sentinelUsername: username, sentinelPassword: password })).toString();
  return options === "" ? text : `${text}${text.includes("?") ? "&" : "?"}${options}`;
}

export function namesSentinels(text: string): boolean {
  return /^rediss?\+sentinel:/.test(text);
}

function split(text: string): SplitUrl {
  return splitServerUrl(text, { schemes: SCHEMES, takes: (name) => OPTIONS.has(name) });
}

function kindOf({ scheme }: ServerUrl): (typeof KINDS)[keyof typeof KINDS] {
  return KINDS[scheme.replace("//", "") as keyof typeof KINDS];
}

function hostFaults(url: ServerUrl): string[] {
  if (kindOf(url).kind !== "single" || url.hosts.length === 1) return [];
  return [
    "names several servers: begin it with redis+sentinel:// if they are Sentinels, with redis+cluster:// if they are nodes of a Cluster",
  ];
}

function pathFaults(url: ServerUrl): string[] {
  const { kind } = kindOf(url);
  if (kind === "sentinel")
    return /^[^/]+$/.test(url.path) ? [] : ["does not end in the name of the master, such as /mymaster"];
  if (kind === "cluster")
    return /^0?$/.test(url.path) ? [] : ["has a path, but a Cluster has only the database 0: remove the path"];
  return url.path === "" || DB.test(url.path) ? [] : ["has a path that is not the number of a database, such as /0"];
}

function optionFaults(url: ServerUrl): string[] {
  const option = optionsOf(url);
  const { kind } = kindOf(url);
  const [db, family] = [option("db"), option("family")];
  const databases = kind === "cluster" ? /^0$/ : DB;
  return [
    ...(db === null || databases.test(db) ? [] : ["has the option db, which is not the number of a database"]),
    ...(family === null || /^[046]$/.test(family) ? [] : ["has the option family, which is none of 0, 4 and 6"]),
    ...(option("path") === null || kind === "single" ? [] : ["has the option path, but names several servers"]),
  ];
}

function accessOf(url: ServerUrl): RedisAccess {
  const option = optionsOf(url);
  const family = option("family");
  return {
    ...textsOf({
      username: url.username || option("username"),
      password: url.password || option("password"),
      connectionName: option("connectionName"),
    }),
    ...tlsOf(url),
    ...(family === null ? {} : { family: Number(family) }),
  };
}

/** The option may name a profile of ioredis. */
function tlsOf(url: ServerUrl): Pick<RedisAccess, "tls"> {
  const option = optionsOf(url)("tls");
  if (option !== null && !/^(true|false|0|1)$/i.test(option)) return { tls: { profile: option } };
  return kindOf(url).tls || /^(true|1)$/i.test(option ?? "") ? { tls: {} } : {};
}

function optionsOf({ options }: ServerUrl): (name: string) => string | null {
  return (wanted) => options.findLast(({ name }: UrlOption) => name === wanted)?.value || null;
}

function textsOf<Name extends string>(texts: Record<Name, string | null>): Partial<Record<Name, string>> {
  const set = Object.entries<string | null>(texts).filter(([, text]) => text !== null && text !== "");
  return Object.fromEntries(set) as Partial<Record<Name, string>>;
}
