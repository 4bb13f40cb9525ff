// Where this machine reaches a server that listens on a host.

/** Of every address. The rest of the hosts are used as they are, because only the system knows what a name means. */
const EVERY: ReadonlySet<string> = new Set(["0.0.0.0", "::"]);

export function listeningUrl(host: string, port: number | string): string {
  if (EVERY.has(host)) return `http://127.0.0.1:${port}`;
  return `http://${host.includes(":") ? `[${host}]` : host}:${port}`;
}
