// Times as a field of the type datetime-local has them: in the person's own time zone, in minutes.

const MINUTE_MS = 60_000;

/** A text that is not a date is returned unchanged: the schema then reports it. */
export function timestampOf(local: string): string {
  const date = new Date(local);
  return Number.isNaN(date.getTime()) ? local : date.toISOString();
}

export function localText(ms: number): string {
  const shifted = new Date(ms - new Date(ms).getTimezoneOffset() * MINUTE_MS);
  return shifted.toISOString().slice(0, "2026-11-21T18:00".length);
}
