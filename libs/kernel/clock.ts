// Time, as every part needs it from its process.

export type Clock = {
  /** Only dates. Other processes have other clocks, and MongoDB's decides what is old (docs/decisions/0036). */
  now(): Date;
  /** For durations, deadlines and waits. Changes of the wall clock do not affect it. */
  monotonicMs(): number;
  /**
   * For the age of what was read. It also counts the time for which the machine was suspended, and may run ahead, never
   * behind. So it must not measure a wait that others rely on.
   */
  agingMs(): number;
};
