// XP with separators, in digits of equal width.
import { numberText } from "./numbers.ts";

export function Xp({ value }: { value: string }) {
  return <span className="tabular-nums">{numberText(value)}</span>;
}

/** A change, with its sign. */
export function XpChange({ value }: { value: string }) {
  const amount = BigInt(value);
  const color = amount < 0n ? "text-danger-ink" : amount > 0n ? "text-good-ink" : "text-muted";
  const sign = amount > 0n ? "+" : amount < 0n ? "\u2212" : "";
  return <span className={`tabular-nums ${color}`}>{`${sign}${numberText(amount < 0n ? -amount : amount)}`}</span>;
}
