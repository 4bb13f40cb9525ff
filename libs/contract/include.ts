// The query parameter `include`: additional fields of a response, separated by commas.
import { z } from "zod";

/** A set of these values; anything else is a fault. */
export function includeOf<const Value extends string>(values: readonly Value[], description: string) {
  const any = `(${values.join("|")})`;
  return z
    .string()
    .transform((text, context): ReadonlySet<Value> => {
      const chosen = text.split(",").map((word) => values.find((value) => value === word));
      if (chosen.every((value) => value !== undefined)) return new Set(chosen);
      const several = values.length > 1 ? ", or several of them with commas" : "";
      context.addIssue({ code: "custom", message: `must be ${values.join(" or ")}${several}` });
      return z.NEVER;
    })
    .optional()
    .meta({ description, pattern: `^${any}(,${any})*$` });
}
