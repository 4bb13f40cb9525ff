// The ids of reversals and resets. An id is also the id of its job, and the fingerprint of its entries. BullMQ
// accepts no ":" in it.

/** Ids increase with time; `random` distinguishes those of one millisecond. */
export function reversalIdAt(at: Date, random: string): string {
  return `rev_${at.getTime().toString(36).padStart(9, "0")}${random}`;
}

export function resetIdAt(at: Date, random: string): string {
  return `rst_${at.getTime().toString(36).padStart(9, "0")}${random}`;
}
