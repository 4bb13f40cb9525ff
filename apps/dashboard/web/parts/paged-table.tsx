// A paged list: shows that it is loading, has failed or is empty, or its table and a button for the next page.
import type { UseInfiniteQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { DataTable, type TableProps } from "./data-table.tsx";
import { ShowMore } from "./show-more.tsx";
import { Failed, Loading } from "./states.tsx";

type Props<Row> = TableProps<Row> & {
  list: UseInfiniteQueryResult;
  /** The name of the data, for example "the members". */
  what: string;
  /** Shown if there are no rows. */
  empty: ReactNode;
  /** The button to the next page. */
  more: string;
};

export function PagedTable<Row>({ list, what, empty, more, ...table }: Props<Row>) {
  const isEmpty = table.rows.length === 0;
  // The empty result of an earlier search must not be shown for this one.
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
