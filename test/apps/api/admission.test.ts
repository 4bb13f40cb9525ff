import { expect, test } from "vitest";
import { makeAdmission } from "../../../apps/api/http/admission.ts";

test("one key has only its share of the requests in progress, and room remains for another one", () => {
  const admission = makeAdmission({ requestsMax: 4, requestsPerKeyMax: 2 });
  const enterAs = (keyId: string) => {
    const ticket = admission.enter();
    try {
      ticket.chargeTo(keyId);
      return ticket;
    } catch (error) {
      ticket.leave();
      throw error;
    }
  };
  const [first] = [enterAs("one"), enterAs("one")];
  expect(() => enterAs("one")).toThrow("Too many requests of this API key are in progress.");
  enterAs("other");
  first.leave();
  enterAs("one");
});
