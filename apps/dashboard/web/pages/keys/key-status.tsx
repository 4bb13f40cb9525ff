// A key's state, with an explanation.
import type { KeyFacts, KeyStatus as Status } from "#contract/dashboard/keys.ts";
import { Pill, type Look } from "../../parts/pill.tsx";

const looks: Record<Status, Look> = {
  live: { text: "Live", tone: "good", title: "Requests with this key are accepted." },
  replaced: { text: "Rotated", tone: "warn", title: "A new key replaced this one, which works until it expires." },
  expired: { text: "Expired", tone: "plain", title: "Requests with this key are rejected." },
  revoked: { text: "Revoked", tone: "danger", title: "Requests with this key are rejected." },
};

export function KeyStatus({ shown }: { shown: KeyFacts }) {
  return <Pill look={looks[shown.status]} />;
}
