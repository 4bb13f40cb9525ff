// The last use of a key, which is written beside the requests.
import { expect, test } from "vitest";
import { makeKeyUses } from "#usecases/keys/key-uses.ts";
import { silentLog } from "../../../support/silent-log.ts";
import { useWorld } from "../../../support/use-api.ts";

const world = await useWorld();

test("a flush includes the write of a key's first use, which has begun already", async () => {
  const { clan } = await world.makeClan();
  const { keyId } = await world.makeKey(clan.clanId);
  const slow = Promise.withResolvers<void>();
  const uses = makeKeyUses({
    keys: {
      async noteUses(written) {
        await slow.promise;
        await world.keys.noteUses(written);
      },
    },
    log: silentLog,
  });
  const usedAt = new Date();
  uses.note(keyId, usedAt, true);
  const flushed = uses.flush().then(() => "flushed");
  expect(await Promise.race([flushed, world.keys.read(keyId).then(() => "still writing")])).toBe("still writing");
  slow.resolve();
  await flushed;
  expect((await world.keys.read(keyId))?.lastUsedAt).toStrictEqual(usedAt);
});
