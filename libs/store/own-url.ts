// What of MONGO_URL counts: servers, credentials, TLS, compression. How Clan XP reads, writes and waits is its own
// decision, made in database.ts, and options of the URL that say otherwise are taken out: the driver would mix them
// with ours or prefer them.

export type OwnUrl = {
  url: string;
  /** Names of the options that were taken out, as the URL spells them. */
  ignored: string[];
};

/** Names are compared in lower case, as the driver compares them. */
const IGNORED = new Set([
  // Where reads go, and what they may see: a key's revocation and an award that was acknowledged must be seen by the
  // next request.
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
  // Who sends again: see docs/decisions/0011-no-retry-writes.md.
  "retryreads",
  "retrywrites",
  // How long is waited, and on how many connections: bounds.ts, whose numbers hang together.
  "connecttimeoutms",
  "sockettimeoutms",
  "serverselectiontimeoutms",
  "timeoutms",
  "waitqueuetimeoutms",
  "maxpoolsize",
  "appname",
]);

/** Everything before the options. A password may hold a question mark; a host and a database's name cannot. */
const PARTS = /^([^:]+:\/\/(?:[^@]*@)?[^?@]*)\?(.*)$/s;

export function ownUrl(mongoUrl: string): OwnUrl {
  const [, servers, query] = PARTS.exec(mongoUrl) ?? [];
  if (servers === undefined || query === undefined) return { url: mongoUrl, ignored: [] };
  const kept: string[] = [];
  const ignored = new Set<string>();
  for (const option of query.split("&")) {
    const [name = ""] = option.split("=");
    if (IGNORED.has(name.toLowerCase())) ignored.add(name);
    else kept.push(option);
  }
  return { url: `${servers}${kept.length > 0 ? "?" : ""}${kept.join("&")}`, ignored: [...ignored] };
}
