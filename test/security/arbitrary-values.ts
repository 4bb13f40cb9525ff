// Values drawn from the contract's own schemas, and the ways in which callers get them wrong.
import fc from "fast-check";
import { z } from "zod";

type JsonSchema = {
  type?: string;
  $ref?: string;
  $defs?: Record<string, JsonSchema>;
  const?: unknown;
  enum?: unknown[];
  properties?: Record<string, JsonSchema>;
  required?: string[];
  items?: JsonSchema;
  minimum?: number;
  maximum?: number;
};

export const platformIds = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom("a", "b", "c", "0", "A|b:c@d.e-f_g") },
  fc.stringMatching(/^[A-Za-z0-9_:@|-]{1,64}$/),
);

/** Names that mean something to JavaScript, MongoDB, Redis or Lua, and characters that end something somewhere. */
const NAMES = ["__proto__", "constructor", "toString", "hasOwnProperty", "a.b", "_id", "clanId", "xp", "seq"];
const COMMANDS = ["$where", "$gt", "$set", "$expr", "{clanxp}", "}:x", "KEYS[1]", "') redis.call('flushall') --"];
const ENDS = ["a\r\nX-Injected: 1", "a\nb", "a\0b", "\u2028", "..", ".", "/", "%2e", "*", " ", ""];
const LOADED = [...NAMES, ...COMMANDS, ...ENDS, "\ud800", "é", "😀"];
export const loadedTexts = fc.oneof(fc.constantFrom(...LOADED), fc.string({ unit: "binary", maxLength: 80 }));

/** A placeholder in JSON text for a number that JSON.stringify cannot write. */
const ODD_NUMBERS = ["9007199254740993", "1e400", "-1e400", "1.5", "1e-1", "25.0", "1e3", "-0", "1000000000001"];
const RAW_NUMBERS = [...ODD_NUMBERS, "00", "0x1", "NaN", "-"];
const rawMark = (index: number): string => `raw number ${index}`;

const OPERATORS = [{ $gt: "" }, { $ne: null }, { $where: "sleep(9999)" }];
const nastyValues: fc.Arbitrary<unknown> = fc.oneof(
  loadedTexts,
  fc.constantFrom<unknown>(null, true, [], {}, [[]], 0, -1, 2 ** 53, "5", ["a"], ...OPERATORS),
  fc.nat(RAW_NUMBERS.length - 1).map(rawMark),
  fc.integer({ min: 490, max: 520 }).map((length) => "x".repeat(length)),
  fc.integer({ min: 1, max: 12 }).map((depth) => JSON.parse("[".repeat(depth) + "]".repeat(depth)) as unknown),
  fc.jsonValue({ maxDepth: 3 }),
);

/** Values of a schema's input. What JSON Schema cannot say is drawn as anything. */
export function valuesOf(schema: z.ZodType): fc.Arbitrary<unknown> {
  const whole = z.toJSONSchema(schema, { io: "input", unrepresentable: "any" }) as JsonSchema;
  return fromJsonSchema(whole, whole.$defs ?? {});
}

function fromJsonSchema(schema: JsonSchema, named: Record<string, JsonSchema>): fc.Arbitrary<unknown> {
  const reference = schema.$ref?.split("/").at(-1);
  if (reference !== undefined) return fromJsonSchema(named[reference] ?? {}, named);
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.enum) return fc.constantFrom(...schema.enum);
  switch (schema.type) {
    case "object": {
      const fields = Object.entries(schema.properties ?? {}).map(
        ([name, field]) => [name, fromJsonSchema(field, named)] as const,
      );
      return fc.record(Object.fromEntries(fields), { requiredKeys: (schema.required ?? []) as never[] });
    }
    case "array":
      return fc.array(fromJsonSchema(schema.items ?? {}, named), { maxLength: 6 });
    case "integer":
      return fc.oneof(
        fc.integer({ min: -1_000, max: 1_000 }),
        fc.constantFrom(schema.minimum ?? 0, schema.maximum ?? 0),
      );
    case "boolean":
      return fc.boolean();
    case "string":
      return fc.string({ maxLength: 70 });
    default:
      return fc.oneof(
        { weight: 4, arbitrary: fc.record({ platformId: platformIds, amount: fc.integer({ min: -9, max: 99 }) }) },
        nastyValues,
      );
  }
}

/** The value with something in it replaced, removed, added or repeated; as JSON text. */
export function spoiltJson(values: fc.Arbitrary<unknown>): fc.Arbitrary<string> {
  const change = fc.record({
    how: fc.constantFrom("replace", "remove", "add", "wrap"),
    at: fc.nat(20),
    name: loadedTexts,
    value: nastyValues,
  });
  return fc
    .tuple(values, fc.array(change, { minLength: 1, maxLength: 3 }))
    .map(([value, changes]) =>
      jsonText(
        changes.reduce<unknown>((sofar, { how, at, name, value: nasty }) => spoil(sofar, how, at, name, nasty), value),
      ),
    );
}

export function jsonText(value: unknown): string {
  return (JSON.stringify(value) ?? "").replace(/"raw number (\d+)"/g, (_, index) => RAW_NUMBERS[Number(index)] ?? "0");
}

function spoil(value: unknown, how: string, at: number, name: string, nasty: unknown): unknown {
  if (how === "wrap") return at % 2 === 0 ? [value] : { value };
  if (typeof value !== "object" || value === null) return nasty;
  const entries = Object.entries(value);
  if (entries.length === 0) return made(value, [[name, nasty]]);
  const index = at % entries.length;
  const inner = entries[index]?.[1];
  // Sometimes further in.
  if (at > 10 && typeof inner === "object" && inner !== null)
    return withEntry(value, entries, index, spoil(inner, how, at - 10, name, nasty));
  if (how === "replace") return withEntry(value, entries, index, nasty);
  if (how === "remove") return made(value, entries.toSpliced(index, 1));
  return made(value, [...entries, [name, nasty]]);
}

function withEntry(value: object, entries: [string, unknown][], index: number, inner: unknown): unknown {
  return made(value, entries.with(index, [entries[index]?.[0] ?? "", inner]));
}

/** Own properties even where the name is `__proto__`. */
function made(like: object, entries: readonly (readonly [string, unknown])[]): unknown {
  return Array.isArray(like) ? entries.map(([, value]) => value) : Object.fromEntries(entries);
}
