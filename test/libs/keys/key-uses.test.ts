// The last use of a key, which is written beside the requests.
import { expect, test, vi } from "vitest";
import { makeKeyUses } from "#keys/key-uses.ts";
import { silentLog } from "../../support/silent-log.ts";

test("a flush includes the write of a key's first use, which has begun already", async () => {
  const slow = Promise.withResolvers<void>();
  const noteUses = vi.fn<(uses: ReadonlyMap<string, Date>) => Promise<void>>(() => slow.promise);
  const uses = makeKeyUses({ keys: { noteUses }, log: silentLog });
  const usedAt = new Date();
  uses.note("key", usedAt, true);
  const flushed = vi.fn<() => void>();
  const flushing = uses.flush().then(flushed);
  await new Promise((resolve) => setImmediate(resolve));
  expect(flushed).not.toHaveBeenCalled();
  slow.resolve();
  await flushing;
  expect(noteUses.mock.calls).toStrictEqual([[new Map([["key", usedAt]])]]);
});
