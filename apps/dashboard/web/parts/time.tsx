// A timestamp: relative, with the exact time on hover, or only exact where a decision depends on it. A whole minute has
// no seconds.
import { useEffect, useReducer } from "react";
import { Aside } from "./aside.tsx";
import { minuteText } from "./local-time.ts";
import { relativeText } from "./relative-text.ts";

const exact = new Intl.DateTimeFormat("en", { dateStyle: "medium", timeStyle: "medium", hourCycle: "h23" });
const inMinutes = {
  year: "numeric",
  month: "short",
  day: "numeric",
  hour: "2-digit",
  minute: "2-digit",
  hourCycle: "h23",
  timeZoneName: "short",
} as const;
const minutesUtc = new Intl.DateTimeFormat("en", { ...inMinutes, timeZone: "UTC" });
const MINUTE_MS = 60_000;
const RENEW_MS = 15_000;

type Props = { at: string | null; none?: string; isExact?: boolean; mayBeAhead?: boolean };

/** `none`: the text if there is no such time. `mayBeAhead`: whether the time may be in the future. */
export function Time({ at, none = "never", isExact = false, mayBeAhead = false }: Props) {
  if (at === null) return <span className="text-muted">{none}</span>;
  return <Timestamp at={at} isExact={isExact} mayBeAhead={mayBeAhead} />;
}

/** Exact, in this time zone, by default the person's, and below it in UTC unless that is the same. */
export function ZonedTime({ at, timeZone }: { at: string; timeZone?: string | undefined }) {
  const date = new Date(at);
  const [own, utc] = [new Intl.DateTimeFormat("en", { ...inMinutes, timeZone }).format(date), minutesUtc.format(date)];
  return (
    <time dateTime={at}>
      {own}
      {own === utc ? null : <Aside>{utc}</Aside>}
    </time>
  );
}

function Timestamp({ at, isExact, mayBeAhead }: { at: string; isExact: boolean; mayBeAhead: boolean }) {
  const [, renew] = useReducer((renewals: number) => renewals + 1, 0);
  useEffect(() => {
    const timer = setInterval(renew, RENEW_MS);
    return () => clearInterval(timer);
  }, []);
  const date = new Date(at);
  const text = date.getTime() % MINUTE_MS === 0 ? minuteText(date) : exact.format(date);
  return (
    <time dateTime={at} title={text} className="whitespace-nowrap">
      {isExact ? text : relativeText(date.getTime(), Date.now(), mayBeAhead)}
    </time>
  );
}
