import { expect, test } from "vitest";
import { makeAdmission } from "../../../apps/api/http/admission.ts";

test("all who read the documentation have the share of one key, and take none of the keys'", () => {
  const admission = makeAdmission({ requestsMax: 4, requestsPerKeyMax: 2 });
  const enterAs = (keyId: string | null) => {
    const ticket = admission.enter();
    try {
      ticket.chargeTo(keyId);
      return ticket;
    } catch (error) {
      ticket.leave();
      throw error;
    }
  };
  const [first] = [enterAs(null), enterAs(null)];
  expect(() => enterAs(null)).toThrow("Too many requests without an API key are in progress.");
  enterAs("one");
  first.leave();
  enterAs(null);
});
