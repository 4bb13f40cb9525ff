// The position at which a list continues, from the cursor of the previous page. Null: from the beginning.
import type { z } from "zod";
import { parse } from "#contract/parse.ts";
import { DashboardError } from "./dashboard-error.ts";

export function positionIn<Schema extends z.ZodType>(
  schema: Schema,
  cursor: string | undefined,
): z.output<Schema> | null {
  if (cursor === undefined) return null;
  const parsed = parse(schema, cursor);
  if (parsed.ok) return parsed.value;
  throw new DashboardError("invalid_request", "The list cannot be continued here. Load it again.");
}
