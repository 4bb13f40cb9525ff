// A path with its query.

/** A field that is undefined is left out. */
export function withQuery(path: string, fields: Record<string, string | number | undefined>): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(fields)) if (value !== undefined) query.set(name, `${value}`);
  const search = String(query);
  return search === "" ? path : `${path}?${search}`;
}
