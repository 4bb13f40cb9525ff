// The day to which a budget applies. It begins at midnight UTC.

export function budgetDay(now: Date): Date {
  return new Date(now.toISOString().slice(0, "2026-11-22".length));
}
