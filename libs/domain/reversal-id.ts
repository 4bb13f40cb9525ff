// What a reversal is named. The name is also its job's, and the fingerprint of the entries that it makes. BullMQ
// accepts no ":" in it.

/** Names rise with time; `random` keeps apart what one moment names. */
export function reversalIdAt(at: Date, random: string): string {
  return `rev_${at.getTime().toString(36).padStart(9, "0")}${random}`;
}
