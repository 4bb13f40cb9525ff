// Which column of a file has which field of the import, if the columns have other names.
import { importFields, type ImportColumns, type ImportField } from "#contract/dashboard/imports.ts";
import { SelectField } from "../../parts/select-field.tsx";

const labels: Record<ImportField, string> = {
  platformId: "Player ID",
  name: "Name",
  xp: "XP",
  membership: "Membership",
  appointedRank: "Appointed rank",
  reason: "Reason",
  key: "Key",
};

type Props = {
  columns: readonly string[];
  chosen: ImportColumns;
  /** Of the column of the player IDs. */
  fault: string | undefined;
  onChoose(chosen: ImportColumns): void;
};

export function ColumnFields({ columns, chosen, fault, onChoose }: Props) {
  return (
    <fieldset>
      <legend className="font-medium">Columns of the file</legend>
      <p className="mt-1 mb-3 text-sm text-muted">
        Not all of them have the names that an import knows. Choose which is which; the others are ignored.
      </p>
      <div className="grid grid-cols-2 gap-3">
        {importFields.map((field) => (
          <SelectField
            key={field}
            label={labels[field]}
            error={field === "platformId" ? fault : undefined}
            options={[
              ["", field === "platformId" ? "Choose a column" : "None"],
              ...[...new Set(columns)].map(optionOf),
            ]}
            value={chosen[field] ?? ""}
            onChange={({ target: { value } }) => onChoose(withColumn(chosen, field, value))}
          />
        ))}
      </div>
    </fieldset>
  );
}

function optionOf(column: string): readonly [string, string] {
  return [column, column];
}

function withColumn(chosen: ImportColumns, field: ImportField, column: string): ImportColumns {
  const changed = { ...chosen, [field]: column };
  if (column === "") delete changed[field];
  return changed;
}
