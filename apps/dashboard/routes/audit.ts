// The clan's audit log, newest first. It contains no records of other clans or of all clans together.
import type { auditEndpoints, AuditRecordFacts } from "#contract/dashboard/audit.ts";
import { AuditCursor, encodeCursor } from "#contract/page.ts";
import { isPlatformId } from "#domain/bounds.ts";
import type { AuditRecord, AuditStore } from "#usecases/audit/ports.ts";
import type { NameStore } from "#usecases/names/ports.ts";
import { positionIn } from "../http/position-in.ts";
import type { Routes } from "../http/route.ts";

/** A record has up to some kilobytes if a clan has many ranks. */
const RECORDS_PER_PAGE = 50;

export function makeAuditRoutes({
  audit,
  names,
}: {
  audit: Pick<AuditStore, "list">;
  names: Pick<NameStore, "read">;
}): Routes<typeof auditEndpoints> {
  return {
    async "list-audit"({ params: { clanId }, query: { actor = null, action = null, cursor } }) {
      const position = positionIn(AuditCursor, cursor);
      const after = position && { at: new Date(position[0]), id: position[1] };
      const filter = { clanId, actor, action, from: null, to: null };
      const { items, next } = await audit.list(filter, { limit: RECORDS_PER_PAGE, after });
      const nameOf = await names.read(
        clanId,
        items.filter(isOfMember).map(({ target }) => target),
      );
      return {
        records: items.map((record) => factsOf(record, nameOf)),
        nextCursor: next && encodeCursor([next.at.toISOString(), next.id]),
      };
    },
  };
}

/** An erased member is none, and the target of an erasure is its number. */
function isOfMember({ action, target }: AuditRecord): boolean {
  return action.startsWith("member.") && action !== "member.erase" && isPlatformId(target);
}

function factsOf(record: AuditRecord, nameOf: ReadonlyMap<string, string>): AuditRecordFacts {
  const { at, actor, via, action, target, before, after } = record;
  // Records contain only JSON values, because they were stored as JSON.
  const facts = (stored: object | null) => stored as Record<string, unknown> | null;
  const member = isOfMember(record) ? { member: { platformId: target, name: nameOf.get(target) ?? null } } : {};
  const change = { before: facts(before), after: facts(after) };
  return { at: at.toISOString(), actor, via, action, target, ...member, ...change };
}
