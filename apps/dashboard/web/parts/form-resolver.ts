// Validates a form with the same schema as the server, and with the same messages.
import type { FieldErrors, FieldValues, Resolver } from "react-hook-form";
import type { z } from "zod";
import { parse } from "#contract/parse.ts";

/** The fault of a text that is too long, too short, or has other characters. */
const LENGTH = /^must be 1 to \d+ characters/;

/**
 * `toRequest`: converts the form's values to the request. Faults are shown at the field of the same name, or at the one
 * that `fieldNames` has for the place in the request, or for its first name.
 */
export function formResolver<Values extends FieldValues>(
  schema: z.ZodType,
  toRequest: (values: Values) => unknown = (values) => values,
  fieldNames: Readonly<Record<string, string>> = {},
): Resolver<Values> {
  return (values) => {
    const parsed = parse(schema, toRequest(values));
    if (parsed.ok) return { values, errors: {} };
    const errors = Object.fromEntries(
      parsed.faults.map(({ pointer, detail }) => {
        const name = pointer.split("/")[1] ?? "root";
        const field = fieldNames[pointer] ?? fieldNames[name] ?? name;
        const isMissing = values[field] === "" && LENGTH.test(detail);
        return [field, { type: "contract", message: isMissing ? "must not be empty" : detail }];
      }),
    );
    return { values: {}, errors: errors as FieldErrors<Values> };
  };
}
