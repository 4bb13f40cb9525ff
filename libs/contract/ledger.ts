// GET …/members/{platformId}/ledger, as docs/reference/api.md describes it.
import { z } from "zod";
import { EntryAnswer } from "#contract/entry.ts";
import { LedgerCursor, PageLimit } from "#contract/page.ts";

export const LedgerQuery = z.strictObject({ limit: PageLimit, cursor: LedgerCursor.optional() });

export const LedgerAnswer = z
  .strictObject({ entries: z.array(EntryAnswer), nextCursor: z.string().nullable() })
  .meta({ id: "EntryPage" });
export type LedgerAnswer = z.infer<typeof LedgerAnswer>;
