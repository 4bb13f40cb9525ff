// A table that becomes a list on a narrow screen, where each row has two lines. Below 1280 px, the widest table, that
// of the audit log, would not fit beside the navigation. Roles are set explicitly, because browsers drop the roles of a
// table whose `display` is changed.
import { useId, useState, type ReactNode } from "react";
import { ArrowDown, ArrowUp, ChevronDown } from "lucide-react";
import { CLIPPED } from "./clipped.ts";

export type Column<Row> = {
  header: string;
  /** Numbers are aligned to the right. */
  isNumber?: boolean;
  /**
   * Its line in a list, which is the second one unless it is said. A column without a line (null) is on the second one
   * if the screen is at least 640 px wide, and is not shown on a phone.
   */
  line?: 1 | 2 | null;
  /** It begins its line, and takes the space that the others leave. Otherwise the first column of the line does. */
  grows?: boolean;
  /** The header is also shown in a list, because the value says too little without it. */
  isLabeled?: boolean;
  /** For a list that is loaded completely: the order of its rows when the person selects the header. */
  compare?(a: Row, b: Row): number;
  cell(row: Row): ReactNode;
};

/** The rows that are selected, by their keys. `nameOf`: what a screen reader calls the row. */
export type Selection<Row> = {
  selected: ReadonlySet<string>;
  nameOf(row: Row): string;
  onChange(selected: ReadonlySet<string>): void;
};

export type TableProps<Row> = {
  label: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  keyOf(row: Row): string;
  /** The key of the row that the address names: it is marked, and scrolled to. */
  currentKey?: string | null;
  /** Rows that are gray. */
  isMuted?(row: Row): boolean;
  /** The buttons of a row, which need no header. In a list they end the second line. False: there are none. */
  actionsOf?: false | ((row: Row) => ReactNode);
  /** What a row has on demand, below it. */
  detailsOf?(row: Row): ReactNode;
  selection?: Selection<Row>;
};

const CELL = "block min-w-0 xl:table-cell xl:px-3 xl:py-2.5 xl:wrap-break-word";
const scrollTo = (row: HTMLElement | null): void => row?.scrollIntoView({ block: "center" });

export function DataTable<Row>(props: TableProps<Row>) {
  const { label, columns, rows, keyOf, selection, actionsOf, detailsOf } = props;
  const { sorted, sort } = useSorted(columns, rows);
  const places = columns.map((column) => placeOf(column, columns));
  const noHeader = <td role="cell" className={`border-b border-line ${selection ? "max-xl:sr-only" : ""}`} />;
  return (
    <div className="overflow-x-auto rounded-xl border border-line bg-panel">
      <table role="table" aria-label={label} className="block w-full border-collapse text-left xl:table">
        <thead
          role="rowgroup"
          className={selection ? "block xl:table-header-group" : "sr-only xl:not-sr-only xl:table-header-group"}
        >
          <tr role="row" className="block xl:table-row">
            {selection ? <SelectAll selection={selection} keys={rows.map(keyOf)} /> : null}
            {columns.map((column) => (
              <Header key={column.header} column={column} sort={sort} isHidden={selection !== undefined} />
            ))}
            {actionsOf ? noHeader : null}
            {detailsOf ? noHeader : null}
          </tr>
        </thead>
        <tbody role="rowgroup" className="block xl:table-row-group">
          {sorted.map((row) => (
            <BodyRow key={keyOf(row)} row={row} table={props} places={places} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

type BodyRowProps<Row> = { row: Row; table: TableProps<Row>; places: readonly string[] };

function BodyRow<Row>({ row, table, places }: BodyRowProps<Row>) {
  const { columns, keyOf, currentKey = null, isMuted = () => false, selection, actionsOf, detailsOf } = table;
  const [isOpen, setIsOpen] = useState(false);
  const detailsId = useId();
  const rowKey = keyOf(row);
  return (
    <>
      <tr
        role="row"
        {...(rowKey === currentKey ? { ref: scrollTo, "aria-current": true } : {})}
        // The line break is an empty item.
        className={`flex flex-wrap items-center gap-x-3 gap-y-0.5 border-b border-line px-3 py-2 before:order-3 before:basis-full last:border-b-0 aria-current:bg-sunken xl:table-row xl:p-0 xl:before:hidden ${isMuted(row) ? "text-muted" : ""}`}
      >
        {selection ? <Select selection={selection} row={row} rowKey={rowKey} /> : null}
        {columns.map((column, index) => (
          <td
            key={column.header}
            role="cell"
            className={`${CELL} ${column.isNumber ? "tabular-nums xl:text-right" : ""} ${places[index]}`}
          >
            {column.isLabeled || column.line === null ? (
              <span aria-hidden="true" className="text-muted xl:hidden">
                {column.header}{" "}
              </span>
            ) : null}
            {column.cell(row)}
          </td>
        ))}
        {actionsOf ? (
          <td role="cell" className={`${CELL} max-xl:order-6 max-xl:ml-auto xl:w-0 xl:text-right`}>
            {actionsOf(row)}
          </td>
        ) : null}
        {detailsOf ? (
          <td role="cell" className="block max-xl:order-7 xl:table-cell xl:w-0 xl:pr-3">
            <DetailsButton detailsId={detailsId} isOpen={isOpen} onToggle={() => setIsOpen(!isOpen)} />
          </td>
        ) : null}
      </tr>
      {detailsOf && isOpen ? (
        <tr role="row" id={detailsId} className="block border-b border-line bg-sunken last:border-b-0 xl:table-row">
          <td
            role="cell"
            colSpan={columns.length + [selection, actionsOf, detailsOf].filter(Boolean).length}
            className="block px-3 py-3 xl:table-cell"
          >
            {detailsOf(row)}
          </td>
        </tr>
      ) : null}
    </>
  );
}

type DetailsButtonProps = { detailsId: string; isOpen: boolean; onToggle(): void };

function DetailsButton({ detailsId, isOpen, onToggle }: DetailsButtonProps) {
  return (
    <button
      type="button"
      aria-label="Details"
      aria-expanded={isOpen}
      aria-controls={isOpen ? detailsId : undefined}
      onClick={onToggle}
      className="inline-flex min-h-8 min-w-8 items-center justify-center rounded-lg text-muted hover:bg-sunken max-xl:min-h-6 max-xl:min-w-6"
    >
      <ChevronDown aria-hidden="true" size={16} className={isOpen ? "rotate-180" : ""} />
    </button>
  );
}

/** Where a value is in a list. On a phone, the widths add up to less than the line, so that it never breaks. */
function placeOf<Row>(column: Column<Row>, columns: readonly Column<Row>[]): string {
  const { line = 2 } = column;
  const muted = line === 1 ? "" : "max-xl:text-sm max-xl:text-muted";
  if (line === null) return `max-sm:hidden max-xl:order-5 ${muted} ${CLIPPED}`;
  const onLine = columns.filter(({ line: other = 2 }) => other === line);
  const isFirst = column === (onLine.find(({ grows }) => grows) ?? onLine[0]);
  const width = isFirst ? "max-xl:flex-1" : onLine.length > 2 ? "max-xl:max-w-[32%]" : "max-xl:max-w-[48%]";
  const order = isFirst ? ["max-xl:order-1", "max-xl:order-4"] : ["max-xl:order-2", "max-xl:order-5"];
  return `${order[line - 1]} ${width} ${muted} ${CLIPPED}`;
}

type Sort<Row> = { by: Column<Row>["header"]; isDescending: boolean } | null;
type Sorting<Row> = { current: Sort<Row>; choose(header: string): void };

/** In the order of the rows themselves until the person selects a header. */
function useSorted<Row>(
  columns: readonly Column<Row>[],
  rows: readonly Row[],
): { sorted: readonly Row[]; sort: Sorting<Row> } {
  const [current, setCurrent] = useState<Sort<Row>>(null);
  const compare = columns.find(({ header }) => header === current?.by)?.compare;
  const ascending = compare ? rows.toSorted(compare) : rows;
  return {
    sorted: compare && current?.isDescending ? ascending.toReversed() : ascending,
    sort: {
      current,
      choose: (by) => setCurrent({ by, isDescending: current?.by === by && !current.isDescending }),
    },
  };
}

type HeaderProps<Row> = { column: Column<Row>; sort: Sorting<Row>; isHidden: boolean };

function Header<Row>({ column, sort, isHidden }: HeaderProps<Row>) {
  const { header, isNumber, line, compare } = column;
  const look = `border-b border-line ${isHidden ? "max-xl:sr-only" : ""} ${line === null ? "max-sm:hidden" : ""}`;
  const isSorted = sort.current?.by === header;
  const Arrow = isSorted && sort.current?.isDescending ? ArrowDown : ArrowUp;
  return (
    <th
      role="columnheader"
      scope="col"
      {...(isSorted ? { "aria-sort": sort.current?.isDescending ? "descending" : "ascending" } : {})}
      className={`${look} px-3 py-2 text-sm font-medium text-muted ${isNumber ? "text-right" : ""}`}
    >
      {compare ? (
        <button
          type="button"
          onClick={() => sort.choose(header)}
          // A list has no headers to select.
          className="inline-flex items-center gap-1 hover:text-ink max-xl:invisible"
        >
          {header}
          <Arrow aria-hidden="true" size={14} className={isSorted ? "" : "opacity-0"} />
        </button>
      ) : (
        header
      )}
    </th>
  );
}

function SelectAll<Row>({ selection: { selected, onChange }, keys }: { selection: Selection<Row>; keys: string[] }) {
  const isAll = keys.length > 0 && keys.every((key) => selected.has(key));
  return (
    <td role="cell" className="block border-b border-line px-3 py-2 xl:table-cell xl:w-0">
      <label className="flex items-center gap-3 text-sm text-muted">
        <input
          type="checkbox"
          aria-label="Select all"
          checked={isAll}
          onChange={() => onChange(new Set(isAll ? [] : keys))}
          className="size-4 accent-accent"
        />
        <span aria-hidden="true" className="xl:hidden">
          Select all
        </span>
      </label>
    </td>
  );
}

type SelectProps<Row> = { selection: Selection<Row>; row: Row; rowKey: string };

function Select<Row>({ selection: { selected, nameOf, onChange }, row, rowKey }: SelectProps<Row>) {
  function toggle(): void {
    const next = new Set(selected);
    if (!next.delete(rowKey)) next.add(rowKey);
    onChange(next);
  }
  return (
    <td role="cell" className="block max-xl:order-1 xl:table-cell xl:px-3">
      <input
        type="checkbox"
        aria-label={`Select ${nameOf(row)}`}
        checked={selected.has(rowKey)}
        onChange={toggle}
        className="block size-4 accent-accent"
      />
    </td>
  );
}
