// A list that comes in pages: that it loads or has failed, that there is nothing, or its table and the way to the next
// page.
import type { UseInfiniteQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { DataTable, type TableProps } from "./data-table.tsx";
import { ShowMore } from "./show-more.tsx";
import { Failed, Loading } from "./states.tsx";

type Props<Row> = TableProps<Row> & {
  list: UseInfiniteQueryResult;
  /** What loads, for example "the members". */
  what: string;
  /** Shown where there is no row. */
  empty: ReactNode;
  /** The button to the next page. */
  more: string;
};

export function PagedTable<Row>({ list, what, empty, more, ...table }: Props<Row>) {
  const isEmpty = table.rows.length === 0;
  // That an earlier search found nothing says nothing of this one.
  if (list.isPending || (isEmpty && list.isPlaceholderData)) return <Loading what={what} />;
  return (
    <>
      {list.error ? (
        <div className="mb-5">
          <Failed error={list.error} onRetry={() => void list.refetch()} />
        </div>
      ) : null}
      {isEmpty && list.data !== undefined ? empty : null}
      {isEmpty ? null : <DataTable {...table} />}
      <ShowMore list={list} label={more} />
    </>
  );
}
