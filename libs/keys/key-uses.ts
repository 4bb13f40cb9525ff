// Collects when keys were used and writes it at intervals: for a request, `lastUsedAt` only costs a Map entry.
import { KEYS_CACHED_MAX } from "#keys/bounds.ts";
import type { KeyStore } from "#keys/ports.ts";
import type { Log } from "#kernel/log.ts";

export type KeyUses = {
  /**
   * `isFirst`: no earlier use is recorded. It is written immediately, because the key's owner may be waiting to see it.
   */
  note(keyId: string, at: Date, isFirst: boolean): void;
  /** Never throws: uses that could not be written are written the next time. */ flush(): Promise<void>;
};

export function makeKeyUses({ keys, log }: { keys: Pick<KeyStore, "noteUses">; log: Log }): KeyUses {
  let uses = new Map<string, Date>();
  let written: Promise<void> = Promise.resolve();

  /** After the write that has begun: a process that stops must not close the connection under it. */
  function flush(): Promise<void> {
    written = written.then(write);
    return written;
  }

  async function write(): Promise<void> {
    if (uses.size === 0) return;
    const writing = uses;
    uses = new Map();
    try {
      await keys.noteUses(writing);
    } catch (error) {
      log.warn({ err: error, keys: writing.size }, "key.last_used_failed");
      uses = new Map([...writing, ...uses]);
    }
  }

  /** Those that were written immediately: the cached key does not show it yet. */
  const begun = new Set<string>();

  return {
    note(keyId, at, isFirst) {
      uses.set(keyId, at);
      if (!isFirst || begun.has(keyId)) return;
      if (begun.size >= KEYS_CACHED_MAX) begun.clear();
      begun.add(keyId);
      void flush();
    },
    flush,
  };
}
