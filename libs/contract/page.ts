// Pages of lists: a limit, and a cursor that only this API writes and reads.
import { hash } from "node:crypto";
import { z } from "zod";
import { isAccountName } from "#domain/account.ts";
import { AROUND_SIZE_DEFAULT, isClanId, PAGE_SIZE_DEFAULT, PAGE_SIZE_MAX, XP_MAX, XP_MIN } from "#domain/bounds.ts";
import { gainOrders } from "#domain/gains.ts";
import { Instant, PlatformId, XpText } from "#contract/text.ts";

/** The longest consists of a board, a period, an XP value, a time and a platformId, about 240 characters. */
const CURSOR_CHARS_MAX = 300;

const Limit = z
  .string()
  .regex(/^\d{1,3}$/, `must be a number from 1 to ${PAGE_SIZE_MAX}`)
  .transform(Number)
  .refine((limit) => limit >= 1 && limit <= PAGE_SIZE_MAX, `must be a number from 1 to ${PAGE_SIZE_MAX}`);

export const PageLimit = Limit.default(PAGE_SIZE_DEFAULT).meta(limitMeta("Entries per page."));
/** For a list whose default depends on its form (list-form.ts). */
export const FormLimit = Limit.optional().meta(
  limitMeta(`Entries per page, or with \`around\` (default ${AROUND_SIZE_DEFAULT}).`),
);

function limitMeta(description: string) {
  const limits = { minimum: 1, maximum: PAGE_SIZE_MAX, default: PAGE_SIZE_DEFAULT } as const;
  return {
    override: ({ jsonSchema }: { jsonSchema: object }) =>
      void Object.assign(jsonSchema, { type: "integer", ...limits, pattern: undefined }),
    description,
  };
}

const XpOfCursor = XpText.transform(BigInt).refine((xp) => xp >= XP_MIN && xp <= XP_MAX);

/** Where the next page of members begins, in its order. */
export const MemberCursor = cursorOf(
  z.union([
    z
      .tuple([z.enum(["xp", "platformId"]), XpOfCursor, PlatformId])
      .transform(([sort, xp, platformId]) => ({ sort, after: { xp, platformId, lastAwardAt: null } })),
    z
      .tuple([z.literal("lastAwardAt"), XpOfCursor, PlatformId, Instant.nullable()])
      .transform(([sort, xp, platformId, at]) => {
        return { sort, after: { xp, platformId, lastAwardAt: at === null ? null : new Date(at) } };
      }),
  ]),
);
type MemberPosition = {
  sort: z.output<typeof MemberCursor>["sort"];
  after: { xp: bigint; platformId: string; lastAwardAt: Date | null };
};

/** The cursor that MemberCursor parses. */
export function memberCursor({ sort, after: { xp, platformId, lastAwardAt } }: MemberPosition): string {
  const place = [sort, xp.toString(), platformId] as const;
  return encodeCursor(sort === "lastAwardAt" ? [...place, lastAwardAt?.toISOString() ?? null] : place);
}

/** Where the next page of a period's standings begins: behind this one. */
export const StandingCursor = cursorOf(
  z
    .tuple([z.string(), z.string(), XpOfCursor, Instant, PlatformId])
    .transform(([boardId, periodId, xp, reachedAt, platformId]) => ({
      boardId,
      periodId,
      after: { xp, reachedAt: new Date(reachedAt), platformId },
    })),
);

/** The cursor that StandingCursor parses. */
export function standingCursor({ boardId, periodId, after }: z.output<typeof StandingCursor>): string {
  return encodeCursor([boardId, periodId, after.xp.toString(), after.reachedAt.toISOString(), after.platformId]);
}

/** Where a list of gains goes on: in this count, at this place. */
export const GainsCursor = cursorOf(
  z
    .tuple([z.literal("gains"), z.string().regex(/^[0-9a-f]{24}$/), z.enum(gainOrders), z.int().min(0)])
    .transform(([, countId, order, place]) => ({ countId, order, place })),
);

/** The cursor that GainsCursor parses. */
export function gainsCursor({ countId, order, place }: z.output<typeof GainsCursor>): string {
  return encodeCursor(["gains", countId, order, place]);
}

/** Where the next page of a board's periods begins, the newest first: before this one. */
export const PeriodCursor = cursorOf(
  z
    .tuple([z.literal("period"), z.string(), z.string().regex(/^\d{8}T\d{6}Z(?:\d{3})?$/)])
    .transform(([, boardId, periodId]) => ({ boardId, periodId })),
);

/** The cursor that PeriodCursor parses. */
export function periodCursor({ boardId, periodId }: z.output<typeof PeriodCursor>): string {
  return encodeCursor(["period", boardId, periodId]);
}

/** Where the next page of a search for members begins: after a platformId, or after the word of a name. */
export const SearchCursor = cursorOf(
  z.union([
    z.tuple([z.literal("id"), PlatformId]).transform(([, platformId]) => ({ kind: "platformId" as const, platformId })),
    z.tuple([z.literal("name")]).transform(() => ({ kind: "name" as const, after: null })),
    z
      .tuple([z.literal("name"), z.string(), PlatformId])
      .transform(([, word, platformId]) => ({ kind: "name" as const, after: { word, platformId } })),
  ]),
);
type SearchPosition = z.output<typeof SearchCursor>;

/** The cursor that SearchCursor parses. */
export function searchCursor(position: SearchPosition): string {
  if (position.kind === "platformId") return encodeCursor(["id", position.platformId]);
  const { after } = position;
  return encodeCursor(after === null ? ["name"] : ["name", after.word, after.platformId]);
}

/** Where the next page of a ledger begins: below this seq. */
export const LedgerCursor = cursorOf(z.tuple([z.literal("seq"), z.int().min(1)]));

/** Where the next page of a clan's awards begins: after this entry, or before this time. */
export const AwardListCursor = cursorOf(
  z
    .union([z.tuple([z.literal("award"), Instant, PlatformId, z.int().min(1)]), z.tuple([z.literal("award"), Instant])])
    .transform(([, at, platformId, seq]) => ({
      at: new Date(at),
      entry: platformId === undefined || seq === undefined ? null : { platformId, seq },
    })),
);

/** The cursor that AwardListCursor parses. */
export function awardListCursor({ at, entry }: z.output<typeof AwardListCursor>): string {
  return encodeCursor(["award", at.toISOString(), ...(entry ? [entry.platformId, entry.seq] : [])]);
}

/** Where the next page of the audit log begins: after this record, or after this entry of a member. */
export const AuditCursor = cursorOf(z.tuple([Instant, z.string().regex(/^(?:[0-9a-f]{24}|[^/]+\/[^/]+\/\d{1,15})$/)]));

/** Where the next page of a clan's batches begins: after this one. */
export const BatchCursor = cursorOf(z.tuple([Instant, z.string()]));

/** Where the next page of clans begins: after this one. */
export const ClanCursor = cursorOf(z.tuple([z.string().refine(isClanId)]));

/** Where the next page of accounts begins: after this one. */
export const AccountCursor = cursorOf(z.tuple([z.string().refine(isAccountName)]));

/** Where the next page of a list of events begins, the newest first: below this number. */
export const NewestEventsCursor = cursorOf(z.tuple([z.literal("n"), z.int().min(1)]));

/** Where the next page of a destination's deliveries begins: below this event's number. */
export const DeliveryCursor = cursorOf(z.tuple([z.literal("delivery"), z.int().min(1)]));

/** Where the next page of members' roles begins: after this member. */
export const MemberRoleCursor = cursorOf(z.tuple([z.literal("role"), PlatformId]));

/** Where the next page of a clan's hidden members begins: after this one. */
export const HiddenCursor = cursorOf(z.tuple([z.literal("hidden"), PlatformId]));

/** Where to read on in a clan's events. `clan`: the clan that the cursor is for (cursorClan). */
export const EventCursor = cursorOf(
  z
    .tuple([z.string(), z.int().min(0), z.string()])
    .transform(([clan, n, eventId]) => ({ clan, position: { n, eventId } })),
);

/** The cursor that EventCursor parses. */
export function eventCursor(clanId: string, { n, eventId }: { n: number; eventId: string }): string {
  return encodeCursor([cursorClan(clanId), n, eventId]);
}

/** A short form of a clan's id: a cursor of another clan is invalid, and a clan's id may be long. */
export function cursorClan(clanId: string): string {
  return hash("sha256", clanId, "base64url").slice(0, 11);
}

/** Base64url of the JSON of a position. */
export function encodeCursor(position: readonly (string | number | null)[]): string {
  return Buffer.from(JSON.stringify(position)).toString("base64url");
}

function cursorOf<Position extends z.ZodType>(position: Position) {
  const detail = "must be the nextCursor of a page of this list in the same order";
  return z
    .string()
    .max(CURSOR_CHARS_MAX, detail)
    .meta({ description: "The `nextCursor` of the previous page." })
    .transform((cursor, context): z.output<Position> => {
      const parsed = z.safeParse(position, decodeCursor(cursor));
      if (parsed.success) return parsed.data;
      context.addIssue({ code: "custom", message: detail });
      return z.NEVER;
    });
}

/** Null for a text that is not a cursor. */
function decodeCursor(cursor: string): unknown {
  const bytes = Buffer.from(cursor, "base64url");
  // Buffer ignores invalid base64url: a damaged cursor must not be read as another one.
  if (bytes.toString("base64url") !== cursor) return null;
  try {
    return JSON.parse(bytes.toString());
  } catch {
    return null;
  }
}
