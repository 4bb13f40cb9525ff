// Links in a text or a table.
import { Link, type LinkProps } from "react-router";

export function TextLink({ className = "", ...link }: LinkProps) {
  return <Link {...link} className={`wrap-anywhere text-accent-ink underline-offset-4 hover:underline ${className}`} />;
}

export function BatchLink({ clanId, batchId }: { clanId: string; batchId: string }) {
  return (
    <TextLink
      to={`/clans/${encodeURIComponent(clanId)}/batches/${encodeURIComponent(batchId)}`}
      className="font-mono text-sm"
    >
      {batchId}
    </TextLink>
  );
}

export function MemberLink({ clanId, platformId }: { clanId: string; platformId: string }) {
  return (
    <TextLink
      to={`/clans/${encodeURIComponent(clanId)}/members/${encodeURIComponent(platformId)}`}
      className="font-medium"
    >
      {platformId}
    </TextLink>
  );
}
