// The day that a budget belongs to: it begins at midnight, UTC.

export function budgetDay(now: Date): Date {
  return new Date(now.toISOString().slice(0, "2026-11-22".length));
}
