// The clan's audit log, newest first. It contains no records of other clans or of all clans together.
import type { auditEndpoints, AuditRecordFacts } from "#contract/dashboard/audit.ts";
import { AuditCursor, encodeCursor } from "#contract/page.ts";
import { isOfMember, type AuditAction } from "#domain/audit.ts";
import { timestampOf } from "#domain/timestamp.ts";
import { auditRows } from "#export/audit-rows.ts";
import { csvOf } from "#export/csv-text.ts";
import type { AuditFilter, AuditStore, ListedRecord } from "#audit/ports.ts";
import type { NameStore } from "#names/ports.ts";
import { positionIn } from "../http/position-in.ts";
import type { Routes } from "../http/route.ts";

/** A record has up to some kilobytes if a clan has many ranks. */
const RECORDS_PER_PAGE = 50;
/** Far more people than a clan has; the filter takes every other name, too. */
const ACTORS_LISTED_MAX = 200;

export function makeAuditRoutes({
  audit,
  names,
}: {
  audit: Pick<AuditStore, "list" | "actors">;
  names: Pick<NameStore, "read">;
}): Routes<typeof auditEndpoints> {
  return {
    async "list-audit"({ params: { clanId }, query: { cursor, ...query } }) {
      const position = positionIn(AuditCursor, cursor);
      const after = position && { at: new Date(position[0]), id: position[1] };
      const { items, next } = await audit.list(filterOf(clanId, query), { limit: RECORDS_PER_PAGE, after });
      const ids = items.flatMap((record) => (isOfMember(record) ? record.target : (record.reversal?.platformId ?? [])));
      const nameOf = await names.read(clanId, ids);
      return {
        records: items.map((record) => factsOf(record, nameOf)),
        nextCursor: next && encodeCursor([next.at.toISOString(), next.id]),
      };
    },

    async "list-audit-actors"({ params: { clanId } }) {
      return { actors: await audit.actors(clanId, ACTORS_LISTED_MAX) };
    },

    async "export-audit"({ params: { clanId }, query }) {
      return { fileName: `${clanId}-audit.csv`, text: csvOf("audit", auditRows(audit, filterOf(clanId, query))) };
    },
  };
}

type Query = {
  actor?: string | undefined;
  action?: AuditAction | undefined;
  from?: string | undefined;
  to?: string | undefined;
};

function filterOf(clanId: string, { actor, action, from, to }: Query): AuditFilter {
  const timeOf = (text: string | undefined): Date | null => (text === undefined ? null : timestampOf(text));
  return { clanId, actor: actor ?? null, action: action ?? null, from: timeOf(from), to: timeOf(to) };
}

function factsOf(record: ListedRecord, nameOf: ReadonlyMap<string, string>): AuditRecordFacts {
  const { at, actor, via, action, target, targetName, reversal, before, after } = record;
  // Records contain only JSON values, because they were stored as JSON.
  const facts = (stored: object | null) => stored as Record<string, unknown> | null;
  const known = {
    ...(isOfMember(record) ? { member: { platformId: target, name: nameOf.get(target) ?? null } } : {}),
    ...(targetName === undefined ? {} : { targetName }),
    ...(reversal === undefined
      ? {}
      : { reversal: { ...reversal, name: nameOf.get(reversal.platformId ?? "") ?? null } }),
  };
  return { at: at.toISOString(), actor, via, action, target, ...known, before: facts(before), after: facts(after) };
}
