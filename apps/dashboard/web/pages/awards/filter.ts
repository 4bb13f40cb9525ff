// What the fields above the awards contain, as chips, the address that keeps it, the query that it makes, and the
// selection of a reversal that it is.
import type { AwardsQuery, ListedAward, SelectedAwards } from "#contract/dashboard/awards.ts";
import { AMOUNT_MAX_LIMIT } from "#domain/bounds.ts";
import type { FilterChip } from "../../parts/filter-chips.tsx";
import { localMinuteText, spanBetween } from "../../parts/local-time.ts";
import { numberText, wholeNumber } from "../../parts/numbers.ts";

const fields = ["player", "by", "match", "reason", "atLeast", "from", "to"] as const;
/**
 * Texts; empty: no condition. `by`: `key:` and the id of an API key, or `person:` and a name. `from` and `to` as fields
 * of the type datetime-local have them.
 */
export type Filter = Record<(typeof fields)[number], string>;
export const NO_FILTER: Filter = { player: "", by: "", match: "", reason: "", atLeast: "", from: "", to: "" };

export function filterIn(address: URLSearchParams): Filter {
  return { ...NO_FILTER, ...Object.fromEntries(fields.map((field) => [field, address.get(field) ?? ""])) };
}

export function addressOf(filter: Filter): Record<string, string> {
  return Object.fromEntries(Object.entries(filter).filter(([, text]) => text !== ""));
}

const labels: Readonly<Record<keyof Filter, string>> = {
  player: "Player",
  by: "By",
  match: "Match",
  reason: "Reason",
  atLeast: "At least",
  from: "From",
  to: "To",
};

/** `giver`: what people call the one of the field By. */
export function chipsOf(filter: Filter, giver: string, onChange: (filter: Filter) => void): FilterChip[] {
  const texts: Filter = {
    ...filter,
    by: giver,
    atLeast: `${filter.atLeast} XP`,
    from: localMinuteText(filter.from),
    to: localMinuteText(filter.to),
  };
  return fields
    .filter((field) => filter[field].trim() !== "")
    .map((field) => ({
      name: labels[field],
      value: texts[field],
      onRemove: () => onChange({ ...filter, [field]: "" }),
    }));
}

type Faults = Partial<Record<"atLeast" | "to", string>>;

/** A field with a fault is not in the query. */
export function queryOf(filter: Filter): { query: AwardsQuery; faults: Faults } {
  const [player, match, reason] = [filter.player, filter.match, filter.reason].map((text) => text.trim());
  const { span, fault } = spanBetween(filter);
  const atLeast = filter.atLeast.trim() === "" ? undefined : wholeNumber(filter.atLeast);
  const isAmount = atLeast !== undefined && atLeast >= 1 && atLeast <= AMOUNT_MAX_LIMIT;
  return {
    query: {
      player: player || undefined,
      ...giverOf(filter.by),
      match: match || undefined,
      reason: reason || undefined,
      atLeast: isAmount ? String(atLeast) : undefined,
      ...span,
    },
    faults: {
      ...(atLeast === undefined || isAmount ? {} : { atLeast: AMOUNT_FAULT }),
      ...(fault === undefined ? {} : { to: fault }),
    },
  };
}

const AMOUNT_FAULT = `must be a whole number from 1 to ${numberText(AMOUNT_MAX_LIMIT)}`;

function giverOf(by: string): Pick<AwardsQuery, "key" | "person"> {
  const [kind, ...name] = by.split(":");
  return name.length === 0 ? {} : { [kind === "key" ? "key" : "person"]: name.join(":") };
}

/** Null if no reversal can select these awards. `player`: the only one whom the query finds. */
export function selectionOf(
  { query, faults }: ReturnType<typeof queryOf>,
  player: Pick<ListedAward, "platformId"> | null,
): SelectedAwards | null {
  const { key, match, person, reason, atLeast, from, to } = query;
  const others = [person, reason, atLeast, faults.atLeast, faults.to];
  const named = [key, match, query.player].filter((one) => one !== undefined);
  if (named.length !== 1 || others.some((one) => one !== undefined)) return null;
  if (query.player === undefined) return { key, match, from, to };
  return player ? { platformId: player.platformId, from, to } : null;
}
