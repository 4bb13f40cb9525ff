// The response to a link that does not work, for whatever reason.
import { DashboardError } from "./dashboard-error.ts";

export function linkError(): DashboardError {
  return new DashboardError(
    "link_invalid",
    "This link is not valid: it was used, has expired, or was replaced by a newer one. Ask for a new link.",
  );
}
