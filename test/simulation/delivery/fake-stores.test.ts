// The stores of the simulation guarantee what MongoDB's do (test/libs/delivery/store/delivery-stores.test.ts).
import { testDeliveryStores } from "../../support/delivery-stores-suite.ts";
import { makeFakeDestinations } from "./fake-destinations.ts";
import { webhookOf } from "../../support/destinations.ts";

testDeliveryStores(async () => {
  const { append, erase, age, add, resend, read, ...stores } = makeFakeDestinations();
  return {
    ...stores,
    clanId: "c1",
    async add() {
      add(webhookOf("c1", "dst_1"));
      return "dst_1";
    },
    append: async (bodies) => append("c1", bodies),
    erase: async (numbers) => erase("c1", numbers),
    age: async (to) => age("c1", to),
    resend: async (destinationId, events) => resend(destinationId, events),
    stateOf: async (destinationId) => read(destinationId)?.destination.state,
  };
});
