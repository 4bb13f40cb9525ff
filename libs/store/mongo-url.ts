// The parts of MONGO_URL that apply: servers, credentials, TLS, compression. Read and write concerns, retries and
// timeouts are defined in database.ts. Options of the URL that contradict these are removed, because the driver would
// combine them or prefer those of the URL.

export type OwnUrl = {
  url: string;
  /** Names of the removed options, as the URL spells them. */
  ignored: string[];
};

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
  "appname",
]);

/** Everything before the options. A password may contain a question mark; a host and a database's name cannot. */
const PARTS = /^([^:]+:\/\/(?:[^@]*@)?[^?@]*)\?(.*)$/s;

export function ownUrl(mongoUrl: string): OwnUrl {
  const [, servers, query] = PARTS.exec(mongoUrl) ?? [];
  if (servers === undefined || query === undefined) return { url: mongoUrl, ignored: [] };
  const supported: string[] = [];
  const ignored = new Set<string>();
  for (const option of query.split("&")) {
    const [name = ""] = option.split("=");
    if (IGNORED.has(name.toLowerCase())) ignored.add(name);
    else supported.push(option);
  }
  return { url: `${servers}${supported.length > 0 ? "?" : ""}${supported.join("&")}`, ignored: [...ignored] };
}
