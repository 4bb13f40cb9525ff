// Reads what a caller sent by a schema: the value, or everything that is wrong with it in our own words.
import { z } from "zod";
import type { Fault } from "#domain/app-error.ts";
import { faultsOf, parseOptions } from "#contract/faults.ts";

export type Parsed<Value> = { ok: true; value: Value } | { ok: false; /** One at least. */ faults: Fault[] };

export function parse<Schema extends z.ZodType>(schema: Schema, input: unknown): Parsed<z.output<Schema>> {
  const parsed = z.safeParse(schema, input, parseOptions);
  return parsed.success ? { ok: true, value: parsed.data } : { ok: false, faults: faultsOf(parsed.error) };
}
