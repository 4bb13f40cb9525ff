// GET …/members/{platformId}/ledger, as docs/reference/api.md describes it.
import { z } from "zod";
import { EntryResponse } from "#contract/entry.ts";
import { LedgerCursor, PageLimit } from "#contract/page.ts";

export const LedgerQuery = z.strictObject({ limit: PageLimit, cursor: LedgerCursor.optional() });

export const LedgerResponse = z
  .strictObject({ entries: z.array(EntryResponse), nextCursor: z.string().nullable() })
  .meta({ id: "EntryPage" });
export type LedgerResponse = z.infer<typeof LedgerResponse>;
