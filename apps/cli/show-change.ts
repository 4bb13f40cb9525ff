// The change of an audit record as a short text for people; --json has all of it.
import type { AuditRecord } from "#usecases/audit/ports.ts";

/** A terminal's width beside the other columns. */
const CHANGE_CHARS_MAX = 120;

/** `xpCap none -> 5000, name -> Rovers`: the fields that differ. */
export function changeText({ before, after }: Pick<AuditRecord, "before" | "after">): string {
  const [from, to] = [fieldsOf(before), fieldsOf(after)];
  const names = [...new Set([...from.keys(), ...to.keys()])].filter((name) => from.get(name) !== to.get(name));
  const parts = names.map((name) => {
    const value = to.get(name) ?? "none";
    return from.has(name) ? `${name} ${from.get(name)} -> ${value}` : `${name} ${value}`;
  });
  const text = parts.length === 0 ? "no difference" : parts.join(", ");
  const chars = [...text];
  return chars.length > CHANGE_CHARS_MAX ? `${chars.slice(0, CHANGE_CHARS_MAX - 1).join("")}…` : text;
}

function fieldsOf(values: object | null): Map<string, string> {
  return new Map(Object.entries(values ?? {}).map(([name, value]) => [name, textOf(value)]));
}

function textOf(value: unknown): string {
  if (value === null || value === undefined) return "none";
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (Array.isArray(value)) return value.length === 0 ? "none" : value.map(textOf).join(" + ");
  if (typeof value !== "object") return typeof value === "string" ? value : JSON.stringify(value);
  return Object.entries(value)
    .filter(([name]) => name !== "id")
    .map(([name, field]) => (UNNAMED.has(name) ? textOf(field) : `${name} ${textOf(field)}`))
    .join(" ");
}

/** Fields whose values are clear without their names, such as the kind and the name of a rank. */
const UNNAMED: ReadonlySet<string> = new Set(["kind", "name"]);
