// A rank of the edited list, as a row of its table: on a narrow screen its fields are below each other.
import type { ReactNode } from "react";
import type { RankKind } from "#domain/rank.ts";
import { Button } from "../../parts/button.tsx";
import { numberText } from "../../parts/numbers.ts";
import { rankKindTexts } from "../../parts/rank-kind-texts.ts";
import { SelectField } from "../../parts/select-field.tsx";
import { TextField } from "../../parts/text-field.tsx";
import type { RankRow } from "./rank-draft.ts";

type Props = {
  row: RankRow;
  /** Undefined: not known, or the rank is not saved yet. */
  members: number | undefined;
  faultOf(field: "name" | "threshold"): string | undefined;
  onChange(changes: Partial<RankRow>): void;
  onRemove(): void;
};

export function RankFields({ row, members, faultOf, onChange, onRemove }: Props) {
  const isGuest = row.kind === "GUEST";
  const kinds = kindsFor(row.kind);
  return (
    <tr
      role="row"
      aria-label={`Rank ${row.name === "" ? "without a name" : row.name}`}
      className="grid grid-cols-2 gap-3 border-b border-line p-3 align-top last:border-b-0 lg:table-row"
    >
      <Cell className="col-span-2 lg:w-2/5">
        <TextField
          inTable
          label="Name"
          error={faultOf("name")}
          value={row.name}
          onChange={(event) => onChange({ name: event.target.value })}
        />
      </Cell>
      <Cell className="lg:w-48">
        <SelectField
          inTable
          label="Kind"
          options={kinds.map((kind) => [kind, rankKindTexts[kind]] as const)}
          value={row.kind}
          disabled={isGuest}
          onChange={(event) => onChange({ kind: kinds.find((kind) => kind === event.target.value) ?? row.kind })}
        />
      </Cell>
      <Cell>
        {row.kind === "NORMAL" ? (
          <TextField
            inTable
            label="Threshold"
            error={faultOf("threshold")}
            value={row.threshold}
            onChange={(event) => onChange({ threshold: event.target.value })}
            inputMode="numeric"
            className="tabular-nums lg:text-right"
          />
        ) : null}
      </Cell>
      <Cell className="self-center tabular-nums lg:pt-3.5 lg:text-right">
        {members === undefined ? null : (
          <>
            {numberText(members)}
            <span className="text-sm text-muted lg:sr-only"> {members === 1 ? "member" : "members"}</span>
          </>
        )}
      </Cell>
      <Cell className="text-right lg:w-0">
        {isGuest ? null : (
          <Button size="small" kind="warning" className="lg:mt-1" onClick={onRemove}>
            Remove <span className="sr-only">{row.name}</span>
          </Button>
        )}
      </Cell>
    </tr>
  );
}

function Cell({ className = "", children }: { className?: string; children: ReactNode }) {
  return (
    <td role="cell" className={`block lg:table-cell lg:px-3 lg:py-2 ${className}`}>
      {children}
    </td>
  );
}

/** A clan has exactly one GUEST rank, so the kind GUEST can be neither chosen nor changed. */
function kindsFor(kind: RankKind): readonly RankKind[] {
  if (kind === "GUEST") return ["GUEST"];
  return ["NORMAL", kind === "OWNER" ? "OWNER" : "STAFF"];
}
