// Links in a text or a table.
import { Link, type LinkProps } from "react-router";
import { Name } from "./name.tsx";

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

type NamedDestination = { clanId: string; destinationId: string; name: string };

export function destinationPath({ clanId, destinationId }: Omit<NamedDestination, "name">): string {
  return `/clans/${encodeURIComponent(clanId)}/destinations/${encodeURIComponent(destinationId)}`;
}

export function DestinationLink({ destination }: { destination: NamedDestination }) {
  return (
    <TextLink to={destinationPath(destination)} className="font-medium">
      <Name>{destination.name}</Name>
    </TextLink>
  );
}
