// A member as people see them everywhere: the initials, the name, and the platformId beside it in small. Without a
// name, the platformId takes its place.
import { Initials } from "./initials.tsx";
import { TextLink } from "./links.tsx";

export type NamedMember = { platformId: string; name: string | null };

/** With a link to the member's page. A column of a table is not narrower than most names. */
export function MemberLink({ clanId, platformId, name }: NamedMember & { clanId: string }) {
  return (
    <TextLink
      to={`/clans/${encodeURIComponent(clanId)}/members/${encodeURIComponent(platformId)}`}
      className="inline-flex max-w-full items-center gap-2 text-left xl:[td_&]:min-w-36"
    >
      <MemberName platformId={platformId} name={name} />
    </TextLink>
  );
}

export function MemberName({ platformId, name, isLarge = false }: NamedMember & { isLarge?: boolean }) {
  return (
    <>
      <Initials of={name ?? platformId} isLarge={isLarge} />
      <span className="min-w-0">
        {/* A name in another direction of writing must not reorder the text beside it. */}
        <bdi className={isLarge ? "" : "font-medium"}>{name ?? platformId}</bdi>{" "}
        {name === null ? null : (
          <span className={`font-normal text-muted ${isLarge ? "text-base" : "text-sm"}`}>{platformId}</span>
        )}
      </span>
    </>
  );
}
