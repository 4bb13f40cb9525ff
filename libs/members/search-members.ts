// Searches a clan's members: those whose platformId begins with the text, then those whose names have its words.
import { isPlatformId } from "#domain/bounds.ts";
import type { Member } from "#domain/member.ts";
import { wordsOf } from "#domain/member-name.ts";
import { pageOf, type Page } from "#domain/page.ts";
import { NAMES_EXAMINED_MAX, NAMES_TOGETHER } from "#members/bounds.ts";
import type { MemberLists } from "#members/member-lists.ts";
import type { MemberStore } from "#members/ports.ts";
import type { NamePosition, NameStore } from "#names/ports.ts";

/** Where the next page begins: after this platformId, or in the names (`after` null: with the first one). */
export type SearchPosition = { kind: "platformId"; platformId: string } | PlaceInNames;
type PlaceInNames = { kind: "name"; after: NamePosition | null };

/** A page may be short, because at most NAMES_EXAMINED_MAX names are looked at. Throws AppError `unavailable`. */
export type SearchMembers = (
  clanId: string,
  search: { text: string; limit: number; after: SearchPosition | null },
) => Promise<Page<Member, SearchPosition>>;

export function makeSearchMembers(deps: {
  lists: Pick<MemberLists, "page">;
  members: Pick<MemberStore, "readMany">;
  names: Pick<NameStore, "find">;
}): SearchMembers {
  const { lists, members, names } = deps;

  return async function searchMembers(clanId, { text, limit, after }) {
    const byId = isPlatformId(text) && after?.kind !== "name" ? await idsFrom(clanId, { text, limit, after }) : null;
    if (byId?.next) return byId;
    const found = (byId?.items ?? []).map((member) => ({ member, place: NAMES_FROM_THE_FIRST }));
    const words = wordsOf(text);
    let place: PlaceInNames | null = after?.kind === "name" ? after : NAMES_FROM_THE_FIRST;
    for (
      let examined = 0;
      found.length <= limit && examined < NAMES_EXAMINED_MAX && place;
      examined += NAMES_TOGETHER
    ) {
      const { items, next } = await names.find(clanId, { words, after: place.after, limit: NAMES_TOGETHER });
      // A platformId with this beginning was found by it.
      const others = items.filter(({ platformId }) => !platformId.startsWith(text));
      const ids = others.map(({ platformId }) => platformId);
      const stored = await members.readMany(clanId, ids);
      for (const position of others) {
        const member = stored.get(position.platformId);
        if (member) found.push({ member, place: { kind: "name", after: position } });
      }
      place = next && { kind: "name", after: next };
    }
    const { items, next } = pageOf(found, limit, (last) => last.place);
    return { items: items.map(({ member }) => member), next: next ?? place };
  };

  async function idsFrom(
    clanId: string,
    { text, limit, after }: { text: string; limit: number; after: { platformId: string } | null },
  ): Promise<Page<Member, SearchPosition>> {
    const from = after && { platformId: after.platformId, xp: 0n, lastAwardAt: null };
    const { items, next } = await lists.page(clanId, { sort: "platformId", limit, after: from, prefix: text });
    return { items, next: next && { kind: "platformId", platformId: next.platformId } };
  }
}

const NAMES_FROM_THE_FIRST: PlaceInNames = { kind: "name", after: null };
