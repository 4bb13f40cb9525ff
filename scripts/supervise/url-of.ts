// The URL at which this machine reaches a server that listens on a host. A name is used unchanged, because only the
// system knows the address that it listens on.

export function urlOf(host: string, port: number) {
  if (["0.0.0.0", "::"].includes(host)) return `http://127.0.0.1:${port}`; // listens on every address
  return `http://${host.includes(":") ? `[${host}]` : host}:${port}`;
}
