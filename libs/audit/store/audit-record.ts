// An audit record as it is stored: the fields that a change modified, as JSON.
import type { Actor } from "#domain/audit.ts";
import type { AuditDoc } from "#audit/store/audit-model.ts";
import type { Change } from "#audit/ports.ts";

/** Null if nothing differs: setting a value that is already stored is not a change. */
export function recordOf({ actor, via }: Actor, { event: _event, ...change }: Change): AuditDoc | null {
  const differing = differenceOf(change.before, change.after);
  return differing && { at: new Date(), actor, via, ...change, ...differing };
}

type Facts = Record<string, unknown>;

function differenceOf(
  before: object | null,
  after: object | null,
): { before: Facts | null; after: Facts | null } | null {
  const [earlier, later] = [before && plain(before), after && plain(after)];
  if (!earlier || !later) return { before: earlier, after: later };
  const names = [...new Set([...Object.keys(earlier), ...Object.keys(later)])];
  const differing = names.filter((name) => JSON.stringify(earlier[name]) !== JSON.stringify(later[name]));
  if (differing.length === 0) return null;
  const pick = (facts: Facts): Facts => Object.fromEntries(differing.map((name) => [name, facts[name] ?? null]));
  return { before: pick(earlier), after: pick(later) };
}

/** XP values become decimal strings, times become ISO 8601. */
function plain(facts: object): Facts {
  return JSON.parse(
    JSON.stringify(facts, (_, value: unknown) => (typeof value === "bigint" ? value.toString() : value)),
  ) as Facts;
}
