// The fields that filter the audit log, and what they are set to.
import { useId } from "react";
import { ACTOR_CHARS_MAX, type AuditAction } from "#domain/audit.ts";
import { useApi } from "../../api/use-api.ts";
import { FilterChips } from "../../parts/filter-chips.tsx";
import { SelectField } from "../../parts/select-field.tsx";
import { TextField } from "../../parts/text-field.tsx";
import { chipsOf, NO_FILTER, type Filter } from "./filter.ts";

type Props = {
  clanId: string;
  actions: readonly (readonly [AuditAction, text: string])[];
  filter: Filter;
  /** Of the field To. */
  fault: string | undefined;
  onChange(filter: Filter): void;
};

export function FilterFields({ clanId, actions, filter, fault, onChange }: Props) {
  const listId = useId();
  const { data } = useApi("list-audit-actors", { params: { clanId } });
  const set = (changed: Partial<Filter>): void => onChange({ ...filter, ...changed });
  return (
    <>
      <div className="mb-5 grid grid-cols-2 gap-x-3 gap-y-2 lg:grid-cols-4">
        <TextField
          label="Who"
          placeholder="A whole name"
          list={listId}
          value={filter.who}
          onChange={(event) => set({ who: event.target.value })}
          maxLength={ACTOR_CHARS_MAX}
          spellCheck={false}
        />
        <datalist id={listId}>
          {data?.actors.map((actor) => (
            <option key={actor} value={actor} />
          ))}
        </datalist>
        <SelectField
          label="What"
          options={[["", "Everything"], ...actions]}
          value={filter.what ?? ""}
          onChange={(event) => set({ what: actions.find(([action]) => action === event.target.value)?.[0] ?? null })}
        />
        {/* On a narrow screen, each has a whole line: half of one cuts the time off. */}
        <div className="col-span-2 sm:col-span-1">
          <TextField
            label="From"
            type="datetime-local"
            value={filter.from}
            onChange={(event) => set({ from: event.target.value })}
          />
        </div>
        <div className="col-span-2 sm:col-span-1">
          <TextField
            label="To"
            error={fault}
            type="datetime-local"
            value={filter.to}
            onChange={(event) => set({ to: event.target.value })}
          />
        </div>
      </div>
      <FilterChips chips={chipsOf(filter, onChange)} onClear={() => onChange(NO_FILTER)} />
    </>
  );
}
