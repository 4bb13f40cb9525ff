// A table that becomes a list of cards on a narrow screen, where each value is labeled with its column's name. Below
// 1280 px, the widest table, that of the audit log, would not fit beside the navigation. Roles are set explicitly,
// because browsers drop the roles of a table whose `display` is changed.
import type { ReactNode } from "react";

export type Column<Row> = {
  header: string;
  /** Numbers are aligned to the right. */
  isNumber?: boolean;
  /** A column of buttons, which needs no header. */
  isActions?: boolean;
  cell(row: Row): ReactNode;
};

export type TableProps<Row> = {
  label: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  keyOf(row: Row): string;
  /** The key of the row that the address names: it is marked, and scrolled to. */
  currentKey?: string | null;
};

const scrollTo = (row: HTMLElement | null): void => row?.scrollIntoView({ block: "center" });

export function DataTable<Row>({ label, columns, rows, keyOf, currentKey = null }: TableProps<Row>) {
  return (
    <div className="overflow-x-auto rounded-xl border border-line bg-panel">
      <table role="table" aria-label={label} className="block w-full border-collapse text-left xl:table">
        <thead role="rowgroup" className="sr-only xl:not-sr-only xl:table-header-group">
          <tr role="row" className="xl:table-row">
            {columns.map((column) =>
              column.isActions ? (
                <td key={column.header} role="cell" className="border-b border-line" />
              ) : (
                <th
                  key={column.header}
                  role="columnheader"
                  scope="col"
                  className={`border-b border-line px-3 py-2 text-sm font-medium text-muted ${column.isNumber ? "text-right" : ""}`}
                >
                  {column.header}
                </th>
              ),
            )}
          </tr>
        </thead>
        <tbody role="rowgroup" className="block xl:table-row-group">
          {rows.map((row) => (
            <tr
              key={keyOf(row)}
              role="row"
              {...(keyOf(row) === currentKey ? { ref: scrollTo, "aria-current": true } : {})}
              className="block border-b border-line px-3 py-2 last:border-b-0 aria-current:bg-sunken xl:table-row xl:p-0"
            >
              {columns.map((column) => (
                <td
                  key={column.header}
                  role="cell"
                  className={`flex min-w-0 items-baseline justify-between gap-4 py-1 xl:table-cell xl:px-3 xl:py-2.5 ${column.isNumber ? "tabular-nums xl:text-right" : ""}`}
                >
                  {column.isActions ? null : (
                    <span aria-hidden="true" className="shrink-0 text-sm text-muted xl:hidden">
                      {column.header}
                    </span>
                  )}
                  <span className="min-w-0 text-right break-words xl:[text-align:inherit]">{column.cell(row)}</span>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
