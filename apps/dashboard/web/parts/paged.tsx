// The states of a paged list: loading, failed, empty, or its rows and a button for the next page.
import type { UseInfiniteQueryResult } from "@tanstack/react-query";
import { useEffect, type ReactNode } from "react";
import { ShowMore } from "./show-more.tsx";
import { Failed, Loading } from "./states.tsx";

export type PagedProps = {
  list: UseInfiniteQueryResult;
  /** The name of the data, for example "the members". */
  what: string;
  /** Shown if there are no rows. */
  empty: ReactNode;
  /** The button to the next page. */
  more: string;
};

export function Paged({
  list,
  what,
  empty,
  more,
  isEmpty,
  children,
}: PagedProps & { isEmpty: boolean; children: ReactNode }) {
  // A page looks through a bounded number of rows, and may have none although later ones do.
  const readsOn = isEmpty && list.hasNextPage && !list.error;
  const { fetchNextPage } = list;
  useEffect(() => {
    if (readsOn && !list.isFetching) void fetchNextPage();
  }, [readsOn, list.isFetching, fetchNextPage]);
  // The empty result of an earlier search must not be shown for this one.
  if (list.isPending || readsOn || (isEmpty && list.isPlaceholderData)) return <Loading what={what} />;
  return (
    <>
      {list.error ? (
        <div className="mb-5">
          <Failed error={list.error} onRetry={() => void list.refetch()} />
        </div>
      ) : null}
      {isEmpty && list.data !== undefined && !list.hasNextPage ? empty : null}
      {isEmpty ? null : children}
      <ShowMore list={list} label={more} />
    </>
  );
}
