// XP as people read it: with separators, in digits of one width. XP may be beyond what a JavaScript number holds.
const grouped = new Intl.NumberFormat("en");

export function xpText(xp: string): string {
  return grouped.format(BigInt(xp));
}

export function Xp({ value }: { value: string }) {
  return <span className="tabular-nums">{xpText(value)}</span>;
}

/** A change, with its sign. */
export function XpChange({ value }: { value: string }) {
  const amount = BigInt(value);
  const color = amount < 0n ? "text-danger-ink" : amount > 0n ? "text-good-ink" : "text-muted";
  return (
    <span
      className={`tabular-nums ${color}`}
    >{`${amount > 0n ? "+" : amount < 0n ? "\u2212" : ""}${grouped.format(amount < 0n ? -amount : amount)}`}</span>
  );
}
