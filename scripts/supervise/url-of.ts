// Where this machine reaches what listens on a host: a name as it was given, since only the system knows which address
// it listened on.

export function urlOf(host: string, port: number) {
  if (["0.0.0.0", "::"].includes(host)) return `http://127.0.0.1:${port}`; // on every address
  return `http://${host.includes(":") ? `[${host}]` : host}:${port}`;
}
