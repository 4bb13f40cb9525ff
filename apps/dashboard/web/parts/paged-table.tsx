// A paged list as a table.
import { DataTable, type TableProps } from "./data-table.tsx";
import { Paged, type PagedProps } from "./paged.tsx";

export function PagedTable<Row>({ list, what, empty, more, ...table }: TableProps<Row> & PagedProps) {
  return (
    <Paged list={list} what={what} empty={empty} more={more} isEmpty={table.rows.length === 0}>
      <DataTable {...table} />
    </Paged>
  );
}
