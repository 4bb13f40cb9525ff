// The fields that filter the awards, and what they are set to.
import { MATCH_ID_CHARS_MAX, REASON_CHARS_MAX } from "#domain/bounds.ts";
import { MEMBER_NAME_CHARS_MAX } from "#domain/member-name.ts";
import { useApi } from "../../api/use-api.ts";
import { Field } from "../../parts/field.tsx";
import { FilterChips } from "../../parts/filter-chips.tsx";
import { NumberField } from "../../parts/number-field.tsx";
import { TextField } from "../../parts/text-field.tsx";
import { chipsOf, NO_FILTER, type Filter, type queryOf } from "./filter.ts";

type Props = {
  clanId: string;
  filter: Filter;
  faults: ReturnType<typeof queryOf>["faults"];
  onChange(filter: Filter): void;
};

export function FilterFields({ clanId, filter, faults, onChange }: Props) {
  const text = (field: keyof Filter) => ({
    value: filter[field],
    onChange: ({ target }: { target: { value: string } }) => onChange({ ...filter, [field]: target.value }),
    spellCheck: false,
  });
  const { data } = useApi("list-award-givers", { params: { clanId } });
  const keys = (data?.keys ?? []).map(({ keyId, name }) => [`key:${keyId}`, name] as const);
  const people = (data?.people ?? []).map((name) => [`person:${name}`, name] as const);
  const known = [...keys, ...people].find(([value]) => value === filter.by);
  // The one in an address, whom the clan may not have.
  const giver = known?.[1] ?? filter.by.slice(filter.by.indexOf(":") + 1);
  return (
    <>
      <div className="mb-5 grid grid-cols-2 gap-x-3 gap-y-2 lg:grid-cols-4">
        <TextField
          label="Player"
          type="search"
          placeholder="Name or player ID"
          maxLength={MEMBER_NAME_CHARS_MAX}
          {...text("player")}
        />
        <By keys={keys} people={people} other={known || filter.by === "" ? null : giver} {...text("by")} />
        <TextField
          label="Match"
          type="search"
          placeholder="Match ID"
          maxLength={MATCH_ID_CHARS_MAX}
          {...text("match")}
        />
        <TextField
          label="Reason"
          type="search"
          placeholder="A part of it"
          maxLength={REASON_CHARS_MAX}
          {...text("reason")}
        />
        <NumberField label="At least" error={faults.atLeast} placeholder="XP" {...text("atLeast")} />
        <div className="max-sm:col-span-2 max-sm:row-start-4">
          <TextField label="From" type="datetime-local" {...text("from")} />
        </div>
        <div className="max-sm:col-span-2 max-sm:row-start-5">
          <TextField label="To" error={faults.to} type="datetime-local" {...text("to")} />
        </div>
      </div>
      <FilterChips chips={chipsOf(filter, giver, onChange)} onClear={() => onChange(NO_FILTER)} />
    </>
  );
}

type Options = readonly (readonly [value: string, text: string])[];
type ByProps = {
  keys: Options;
  people: Options;
  /** The value, if it is none of them. */
  other: string | null;
  value: string;
  onChange(event: { target: { value: string } }): void;
};

/** The API keys and the people who may have given awards. */
function By({ keys, people, other, value, onChange }: ByProps) {
  return (
    <Field label="By">
      {(wiring) => (
        <select {...wiring} value={value} onChange={onChange} className="field">
          <option value="">Everybody</option>
          {other === null ? null : <option value={value}>{other}</option>}
          <Group label="API keys" options={keys} />
          <Group label="People" options={people} />
        </select>
      )}
    </Field>
  );
}

function Group({ label, options }: { label: string; options: Options }) {
  if (options.length === 0) return null;
  return (
    <optgroup label={label}>
      {options.map(([value, text]) => (
        <option key={value} value={value}>
          {text}
        </option>
      ))}
    </optgroup>
  );
}
