// A paged list as a table.
import { DataTable, type TableProps } from "./data-table.tsx";
import { Paged, type PagedProps } from "./paged.tsx";

export function PagedTable<Row>({ list, what, empty, more, lookedBackTo, ...table }: TableProps<Row> & PagedProps) {
  const isEmpty = table.rows.length === 0;
  return (
    <Paged list={list} what={what} empty={empty} more={more} lookedBackTo={lookedBackTo} isEmpty={isEmpty}>
      <DataTable {...table} />
    </Paged>
  );
}
