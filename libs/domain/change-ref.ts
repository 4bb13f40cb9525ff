// Identifies a change of a clan from which events follow, and each of these events.

/**
 * Which change of a clan: the `seq` of a member's entry; 0 for other subjects, which change once. `at`: its time, because
 * a member's entries begin again at 1 after an erasure.
 */
export type ChangeRef = { subject: string; seq: number; at: Date };

export function memberSubject(platformId: string): string {
  return `member/${platformId}`;
}

/** Identifies an event of a clan by its change: a change has one event of a type. */
export function nameOfEvent({ subject, seq, at }: ChangeRef, type: string): string {
  return `${subject}/${seq}/${at.getTime()}/${type}`;
}
