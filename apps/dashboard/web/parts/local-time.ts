// Times in the person's own time zone and in minutes: as a field of the type datetime-local has them, and as a text.

const minutes = new Intl.DateTimeFormat("en", { dateStyle: "medium", timeStyle: "short", hourCycle: "h23" });
const MINUTE_MS = 60_000;

/** A text that is not a date is returned unchanged: the schema then reports it. */
export function timestampOf(local: string): string {
  const date = new Date(local);
  return Number.isNaN(date.getTime()) ? local : date.toISOString();
}

/** The span between two fields; an empty one is no bound. `fault`: of the second one, which then is no bound either. */
export function spanBetween({ from, to }: { from: string; to: string }): {
  span: { from?: string; to?: string };
  fault: string | undefined;
} {
  const [begin, end] = [from, to].map((text) => (text === "" ? null : timestampOf(text)));
  const isBackward = begin && end ? begin >= end : false;
  return {
    span: { ...(begin ? { from: begin } : {}), ...(end && !isBackward ? { to: end } : {}) },
    fault: isBackward ? "must be later than From" : undefined,
  };
}

export function minuteText(date: Date): string {
  return minutes.format(date);
}

/** Of such a field. */
export function localMinuteText(local: string): string {
  const date = new Date(local);
  return Number.isNaN(date.getTime()) ? local : minuteText(date);
}

export function localText(ms: number): string {
  const shifted = new Date(ms - new Date(ms).getTimezoneOffset() * MINUTE_MS);
  return shifted.toISOString().slice(0, "2026-11-21T18:00".length);
}
