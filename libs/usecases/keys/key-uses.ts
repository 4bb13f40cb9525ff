// Remembers when keys were used and writes it down now and then: `lastUsedAt` costs the hot path a Map entry.
import type { KeyStore } from "#usecases/keys/ports.ts";
import type { Log } from "#usecases/ports.ts";

export type KeyUses = {
  note(keyId: string, at: Date): void;
  /** Never throws: what could not be written stays for the next time. */ flush(): Promise<void>;
};

export function makeKeyUses({ keys, log }: { keys: Pick<KeyStore, "noteUses">; log: Log }): KeyUses {
  let uses = new Map<string, Date>();

  async function flush(): Promise<void> {
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

  return { note: (keyId, at) => void uses.set(keyId, at), flush };
}
