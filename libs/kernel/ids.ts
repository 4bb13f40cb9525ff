// New ids, as every part needs them from its process.

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
