// A path with its query.

/** A field that is undefined is left out. */
export function withQuery(path: string, fields: Record<string, string | number | undefined>): string {
  const given = Object.entries(fields).flatMap(([name, value]) => (value === undefined ? [] : [[name, `${value}`]]));
  return given.length === 0 ? path : `${path}?${String(new URLSearchParams(given))}`;
}
