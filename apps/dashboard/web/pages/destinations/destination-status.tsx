// The state of a destination in one word, and the names of kinds.
import type { DestinationKind, DestinationState } from "#domain/destination.ts";
import { Pill, type Look } from "../../parts/toned.tsx";

export const kindNames: Record<DestinationKind, string> = {
  webhook: "Webhook",
  discord: "Discord",
  "roblox-group": "Roblox group",
  "discord-roles": "Discord roles",
};

const looks: Record<DestinationState, Look> = {
  active: { text: "Active", tone: "good", title: "Events are sent as they happen." },
  paused: { text: "Paused", tone: "plain", title: "Nothing is sent until it is resumed." },
  failing: { text: "Failing", tone: "warn", title: "The receiver accepts nothing at present. It is tried again." },
  disabled: { text: "Disabled", tone: "danger", title: "Nothing is sent until somebody resumes it." },
};

export function DestinationStatus({ state }: { state: DestinationState }) {
  return <Pill look={looks[state]} />;
}
