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

/** A member by the name that is known, and the platformId. */
export function NamedMember({ clanId, platformId, name }: { clanId: string; platformId: string; name: string | null }) {
  return (
    <span className="xl:inline-block xl:min-w-36">
      {name === null ? null : <span className="wrap-anywhere xl:block">{name} </span>}
      <MemberLink clanId={clanId} platformId={platformId} />
    </span>
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
