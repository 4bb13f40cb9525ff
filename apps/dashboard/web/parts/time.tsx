// A timestamp, relative for reading and exact on hover; exact alone where a decision depends on it.
import { useEffect, useState } from "react";

const units = [
  ["year", 31_536_000],
  ["month", 2_592_000],
  ["day", 86_400],
  ["hour", 3_600],
  ["minute", 60],
  ["second", 1],
] as const;
const relative = new Intl.RelativeTimeFormat("en", { numeric: "auto" });
const exact = new Intl.DateTimeFormat("en", { dateStyle: "medium", timeStyle: "medium" });
const RENEW_MS = 15_000;

/** `none`: what is said where there is no such time. */
export function Time({ at, none = "never", isExact = false }: { at: string | null; none?: string; isExact?: boolean }) {
  return at === null ? <span className="text-muted">{none}</span> : <Instant at={at} isExact={isExact} />;
}

function Instant({ at, isExact }: { at: string; isExact: boolean }) {
  const [nowMs, setNowMs] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNowMs(Date.now()), RENEW_MS);
    return () => clearInterval(timer);
  }, []);
  const instant = new Date(at);
  return (
    <time dateTime={at} title={exact.format(instant)} className="whitespace-nowrap">
      {isExact ? exact.format(instant) : relativeText((instant.getTime() - Math.max(nowMs, 0)) / 1_000)}
    </time>
  );
}

/** Seconds before are all "now": clocks differ by as much. */
function relativeText(seconds: number): string {
  const [unit, size] = units.find(([, length]) => Math.abs(seconds) >= length) ?? (["second", 1] as const);
  if (unit === "second") return seconds > 0 ? "in a moment" : "just now";
  return relative.format(Math.round(seconds / size), unit);
}
