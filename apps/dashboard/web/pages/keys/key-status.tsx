// A key's state in a word, with what follows from it on hover.
import type { KeyFacts, KeyStatus as Status } from "#contract/dashboard/keys.ts";

const looks: Record<Status, { text: string; className: string; title: string }> = {
  live: { text: "Live", className: "bg-good-soft text-good-ink", title: "Requests with this key are accepted." },
  replaced: {
    text: "Rotated",
    className: "bg-warn-soft text-warn-ink",
    title: "A new key replaced this one, which works until it expires.",
  },
  expired: { text: "Expired", className: "bg-sunken text-muted", title: "Requests with this key are rejected." },
  revoked: {
    text: "Revoked",
    className: "bg-danger-soft text-danger-ink",
    title: "Requests with this key are rejected.",
  },
};

export function KeyStatus({ shown }: { shown: KeyFacts }) {
  const { text, className, title } = looks[shown.status];
  return (
    <span title={title} className={`inline-block rounded-full px-2.5 py-0.5 text-sm font-medium ${className}`}>
      {text}
    </span>
  );
}
