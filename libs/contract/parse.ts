// Parses a caller's input with a schema: returns the value, or all of its faults in this API's own words.
import { z } from "zod";
import type { Fault } from "#kernel/app-error.ts";
import { faultsOf, parseOptions } from "#contract/faults.ts";

export type Parsed<Value> = { ok: true; value: Value } | { ok: false; /** At least one. */ faults: Fault[] };

export function parse<Schema extends z.ZodType>(schema: Schema, input: unknown): Parsed<z.output<Schema>> {
  const parsed = z.safeParse(schema, input, parseOptions);
  return parsed.success ? { ok: true, value: parsed.data } : { ok: false, faults: faultsOf(parsed.error) };
}
