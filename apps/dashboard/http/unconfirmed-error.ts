// The response if a person changes how an account signs in without confirming their identity.
import type { Unconfirmed } from "#accounts/confirm-person.ts";
import { DashboardError } from "./dashboard-error.ts";
import { limitedError } from "./limited-error.ts";

const STALE = "You signed in more than 10 minutes ago. Sign out, sign in again, and retry. Nothing was changed.";

export function unconfirmedError(result: Unconfirmed): DashboardError {
  switch (result.kind) {
    case "wrong_password": {
      const faults = [{ pointer: "/current", detail: "is incorrect" }];
      return new DashboardError("invalid_request", "The current password is incorrect. Nothing was changed.", {
        faults,
      });
    }
    case "sign_in_again":
      return new DashboardError("sign_in_again", STALE);
    case "changed_meanwhile":
      return new DashboardError("signed_out", "Your account has changed. Sign in again.");
    case "limited":
      return limitedError(result.retryAfterMs);
  }
}
