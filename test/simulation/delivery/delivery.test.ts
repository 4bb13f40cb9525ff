// Many histories of deliveries under faults that no real server would make so often.
import { afterEach, beforeEach, describe, test } from "vitest";
import { expectNoFaults, histories } from "../histories.ts";
import { simulateDelivery } from "./simulate.ts";
import { simulateRoles } from "./simulate-roles.ts";
import { advanceVirtual, beginVirtualTime, endVirtualTime } from "./virtual-time.ts";

/** Histories that have found faults of the product. */
const KNOWN_SEEDS = [133_923_770, 777_191, 520_293_252, 16_118];
const KNOWN_SEEDS_OF_ROLES = [336, 6_946, 1_047_382_269, 1_047_382_863];

describe("deliveries in simulation", { timeout: 3_600_000 }, () => {
  beforeEach(beginVirtualTime);
  afterEach(endVirtualTime);

  test(`of messages keep their guarantees in ${histories}`, () =>
    expectNoFaults((seed) => {
      beginVirtualTime();
      return simulateDelivery(seed, advanceVirtual);
    }, KNOWN_SEEDS));

  test(`of roles keep their guarantees in ${histories}`, () =>
    expectNoFaults((seed) => {
      beginVirtualTime();
      return simulateRoles(seed, advanceVirtual);
    }, KNOWN_SEEDS_OF_ROLES));
});
