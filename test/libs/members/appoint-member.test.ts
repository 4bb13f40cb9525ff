// Appointments while the membership ends.
import { expect, test } from "vitest";
import { memberIdOf } from "#domain/member-id.ts";
import { systemClock } from "#process/clock.ts";
import { makeIds } from "#process/ids.ts";
import { makeAppointMember } from "#members/appoint-member.ts";
import { makeRemoveMember } from "#members/remove-member.ts";
import type { Ledger } from "#ledger/ledger.ts";
import { openLedger } from "../../../apps/cli/open/ledger.ts";
import { makeStores } from "../../../apps/cli/open/stores.ts";
import { testActor } from "../../support/actor.ts";
import { useWorld } from "../../support/use-api.ts";

const world = await useWorld();

test("an appointment is not reported as made if the membership ended before it was committed", async () => {
  const { clan } = await world.makeClan();
  const member = { clanId: clan.clanId, platformId: "m1" };
  await world.members.join(member, new Date(), null);
  const { committer, store, close } = openLedger({ ...makeStores(world.database), clock: systemClock });
  const common = { clans: world.clans, ids: makeIds(systemClock), store };
  const removeMember = makeRemoveMember({ ...common, committer });
  const late: Pick<Ledger, "submit"> = {
    async submit(...award) {
      expect(await removeMember(member, testActor)).toMatchObject({ kind: "removed" });
      return committer.submit(...award);
    },
  };
  const appointMember = makeAppointMember({ ...common, committer: late });
  expect(await appointMember(member, "Officer", testActor)).toStrictEqual({ kind: "no_membership" });
  const head = (await store.readHeads([member])).get(memberIdOf(member));
  expect(head).toMatchObject({ membership: null, appointedRank: null });
  await close();
});
