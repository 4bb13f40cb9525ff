// What every part needs from its process: time, ids and a log.

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

export type Ids = {
  batch(): string;
  reversal(): string;
  reset(): string;
  erasure(): string;
  import(): string;
  event(): string;
  destination(): string;
  /** Of a hook for Roblox's requests to erase a person. */
  hook(): string;
  boost(): string;
  /** Of what a person asks a notifier to do. */
  call(): string;
  /** Unique across all processes. */ award(): string;
};

/** SHA-256 of a text, base64url. */
export type Digest = (text: string) => string;

export type Log = {
  debug(fields: object, event: string): void;
  info(fields: object, event: string): void;
  warn(fields: object, event: string): void;
  error(fields: object, event: string): void;
};
