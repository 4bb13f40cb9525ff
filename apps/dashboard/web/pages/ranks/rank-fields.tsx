// One rank of the edited list: its name, its kind, and its threshold if it has one.
import type { RankKind } from "#domain/rank.ts";
import { Button } from "../../parts/button.tsx";
import { SelectField } from "../../parts/select-field.tsx";
import { TextField } from "../../parts/text-field.tsx";
import type { RankRow } from "./rank-draft.ts";

/** A clan has exactly one GUEST rank, so the kind GUEST can be neither chosen nor changed. */
const choices = ["NORMAL", "STAFF", "OWNER"] as const satisfies RankKind[];

type Props = {
  row: RankRow;
  faultOf(field: "name" | "threshold"): string | undefined;
  onChange(changes: Partial<RankRow>): void;
  onRemove(): void;
};

export function RankFields({ row, faultOf, onChange, onRemove }: Props) {
  const isGuest = row.kind === "GUEST";
  const kinds: readonly RankKind[] = isGuest ? ["GUEST"] : choices;
  return (
    <fieldset className="grid min-w-0 gap-3 rounded-xl border border-line bg-panel p-4 sm:grid-cols-[2fr_1fr_1fr_5.5rem] sm:items-start">
      <legend className="sr-only">Rank {row.name === "" ? "without a name" : row.name}</legend>
      <TextField
        label="Name"
        error={faultOf("name")}
        value={row.name}
        onChange={(event) => onChange({ name: event.target.value })}
      />
      <SelectField
        label="Kind"
        options={kinds.map((kind) => [kind, kind] as const)}
        value={row.kind}
        disabled={isGuest}
        onChange={(event) => onChange({ kind: choices.find((kind) => kind === event.target.value) ?? row.kind })}
      />
      {row.kind === "NORMAL" ? (
        <TextField
          label="Threshold"
          error={faultOf("threshold")}
          value={row.threshold}
          onChange={(event) => onChange({ threshold: event.target.value })}
          inputMode="numeric"
          className="tabular-nums"
        />
      ) : (
        <p className="text-sm text-muted sm:pt-8">{isGuest ? "Players without a membership" : "By appointment"}</p>
      )}
      {isGuest ? null : (
        <Button
          size="small"
          kind="warning"
          className="justify-self-start sm:mt-7 sm:justify-self-end"
          onClick={onRemove}
        >
          Remove <span className="sr-only">{row.name}</span>
        </Button>
      )}
    </fieldset>
  );
}
