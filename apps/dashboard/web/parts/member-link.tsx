// A member's platformId, as a link to their page.
import { TextLink } from "./text-link.tsx";

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
