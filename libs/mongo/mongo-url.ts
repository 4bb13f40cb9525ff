// MONGO_URL: which faults it has, and which of its parts apply: servers, credentials, TLS, compression, and the name of
// the database, with which names in Redis begin, too. Read and write concerns, retries and timeouts are defined in
// database.ts. Options of the URL that contradict these are removed, because the driver would combine them or prefer
// those of the URL.
import { createRequire } from "node:module";
import type * as mongo from "mongodb";
import { splitServerUrl, UNESCAPED, type ServerUrl, type SplitUrl, type UrlOption } from "#mongo/server-url.ts";

export type OwnUrl = {
  url: string;
  /** Names of the removed options, as the URL spells them. */
  ignored: string[];
};

const SCHEMES = ["mongodb://", "mongodb+srv://"] as const;
const DATABASE_NAME = "clanxp";
const PORT_DEFAULT = 27_017;
const NAME_BYTES_MAX = 63;

/** Compared in lower case, as the driver does. */
const IGNORED = new Set([
  // Where reads go, and what they return: the next request must see the revocation of a key and an acknowledged award.
  "readpreference",
  "readpreferencetags",
  "maxstalenessseconds",
  "readconcern",
  "readconcernlevel",
  // When a write counts as done.
  "w",
  "j",
  "journal",
  "fsync",
  "wtimeout",
  "wtimeoutms",
  "writeconcern",
  // Retries: see docs/decisions/0011-no-retry-writes.md.
  "retryreads",
  "retrywrites",
  // Time limits and the number of connections: see bounds.ts, whose numbers depend on each other.
  "connecttimeoutms",
  "sockettimeoutms",
  "serverselectiontimeoutms",
  "timeoutms",
  "waitqueuetimeoutms",
  "maxpoolsize",
  "minpoolsize",
  "maxconnecting",
  "heartbeatfrequencyms",
  "minheartbeatfrequencyms",
  "appname",
  // How documents are encoded and decoded, and the database: the code depends on it.
  "bsonregexp",
  "checkkeys",
  "dbname",
  "enableutf8validation",
  "fieldsasraw",
  "forceserverobjectid",
  "ignoreundefined",
  "promotebuffers",
  "promotelongs",
  "promotevalues",
  "raw",
  "serializefunctions",
  "usebigint64",
]);

/** Options for which the driver loads a package when it connects. */
const PACKAGES: { option: string; value: RegExp; name: string }[] = [
  { option: "compressors", value: /(^|,)snappy(,|$)/, name: "snappy" },
  { option: "authmechanism", value: /^GSSAPI$/i, name: "kerberos" },
  { option: "authmechanism", value: /^MONGODB-AWS$/i, name: "@aws-sdk/credential-providers" },
  { option: "authmechanismproperties", value: /(^|,)ENVIRONMENT:gcp(,|$)/i, name: "gcp-metadata" },
  { option: "proxyhost", value: /./, name: "socks" },
];

const require = createRequire(import.meta.url);

/** Loaded only when a URL is checked: --help starts without it. */
function driver(): typeof mongo {
  return require("mongodb") as typeof mongo;
}

/** Why the URL cannot be used: by its own form, and by the driver. No value is part of a fault. */
export function mongoUrlFaults(text: string): string[] {
  const { url, faults } = split(text);
  if (url === null) return faults;
  // Without a user, the driver takes everything before an @ for one, and so may have the author of the URL.
  const ats = url.userInfo === null ? url.options.filter(({ text: option }) => option.includes("@")) : [];
  if (ats.some(isKept) || (ats.length > 0 && faults.length > 0)) return [UNESCAPED];
  return [...faults, ...userFaults(url), ...srvFaults(url), ...nameFaults(url), ...optionFaults(url)];
}

/** Throws if the URL has a fault of its form. */
export function databaseName(mongoUrl: string): string {
  return usable(mongoUrl).path || DATABASE_NAME;
}

/** Its servers and its database: one text for all spellings and users. Throws if the URL has a fault of its form. */
export function placeOfMongo(mongoUrl: string): string {
  const { scheme, hosts } = usable(mongoUrl);
  const servers = hosts.map(({ host, port }) => `${host.toLowerCase()} ${port ?? PORT_DEFAULT}`);
  return JSON.stringify([scheme, servers, databaseName(mongoUrl)]);
}

/** Throws if the URL has a fault of its form. */
export function ownUrl(mongoUrl: string): OwnUrl {
  const { beforeOptions, options } = usable(mongoUrl);
  const kept = options.filter(isKept).map(({ text }) => text);
  const ignored = new Set(options.filter((option) => !isKept(option)).map(({ name }) => name));
  return { url: `${beforeOptions}${kept.length > 0 ? "?" : ""}${kept.join("&")}`, ignored: [...ignored] };
}

function split(text: string): SplitUrl {
  return splitServerUrl(text, { schemes: SCHEMES, takes: (name) => !isUnknown(name) });
}

function usable(mongoUrl: string): ServerUrl {
  const { url, faults } = split(mongoUrl);
  if (url === null || faults.length > 0) throw new Error(`The URL of MongoDB ${faults.join("; ")}.`);
  return url;
}

function isKept({ name }: UrlOption): boolean {
  return !IGNORED.has(name.toLowerCase());
}

function isUnknown(name: string): boolean {
  if (IGNORED.has(name.toLowerCase())) return false;
  return rejection("mongodb://h/", [`${encodeURIComponent(name)}=x`])?.endsWith("not supported") ?? false;
}

/** The driver's message, without the URL; null if it accepts the URL. */
function rejection(servers: string, options: readonly string[]): string | null {
  try {
    void new (driver().MongoClient)(`${servers}?${options.join("&")}`);
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

function userFaults({ userInfo, username }: ServerUrl): string[] {
  if (userInfo === null) return [];
  const [, name = "", password = ""] = /^([^:]*):?(.*)$/s.exec(userInfo) ?? [];
  if (/[:[\]@]/.test(name + password)) return [UNESCAPED];
  return username === "" ? ["has no user name before its @"] : [];
}

function srvFaults({ scheme, hosts }: ServerUrl): string[] {
  if (!scheme.includes("+srv")) return [];
  return [
    ...(hosts.length > 1 ? [`has several hosts, but ${scheme} takes one`] : []),
    ...(hosts.some(({ port }) => port !== null) ? [`has a port, but ${scheme} takes none`] : []),
  ];
}

function nameFaults({ path }: ServerUrl): string[] {
  const isName = Buffer.byteLength(path) <= NAME_BYTES_MAX && !/[/\\. "$\0]/.test(path);
  return isName
    ? []
    : [`has no valid database name: up to ${NAME_BYTES_MAX} bytes, without / \\ . " $ and spaces (after the hosts)`];
}

/** Of each option alone if possible, so that all of them are listed. Hosts and credentials are replaced. */
function optionFaults({ scheme, hosts, userInfo, options }: ServerUrl): string[] {
  const names = scheme.includes("+srv") ? ["a.b.c"] : hosts.map(() => "a.b.c");
  const servers = `${scheme}${userInfo === null ? "" : "user:password@"}${names.join()}/`;
  const kept = options.filter(isKept);
  const missing = kept.flatMap(packageFaults);
  const others = kept.filter((option) => packageFaults(option).length === 0);
  const alone = others.flatMap((option) => {
    const reason = rejection(servers, [option.text]);
    if (reason === null) return [];
    const isQuoted = option.value !== "" && reason.includes(option.value);
    return [`has the option ${option.name}, which the MongoDB driver rejects${isQuoted ? "" : `: ${reason}`}`];
  });
  if (missing.length > 0 || alone.length > 0) return [...missing, ...alone];
  const together = rejection(
    servers,
    kept.map(({ text }) => text),
  );
  return together === null ? [] : [`has options that the MongoDB driver rejects: ${together}`];
}

function packageFaults({ name, value }: UrlOption): string[] {
  const needed = PACKAGES.filter(({ option, value: wanted }) => option === name.toLowerCase() && wanted.test(value));
  return needed
    .filter(({ name: ofPackage }) => !isInstalled(ofPackage))
    .map(
      ({ name: ofPackage }) =>
        `has the option ${name}, for which the package ${ofPackage} is not installed: remove it` +
        (ofPackage === "snappy" ? ", or use zstd or zlib" : ""),
    );
}

function isInstalled(name: string): boolean {
  try {
    createRequire(require.resolve("mongodb")).resolve(name);
    return true;
  } catch {
    return false;
  }
}
