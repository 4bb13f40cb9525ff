// The states of a paged list: loading, failed, empty, or its rows and a button for the next page.
import type { InfiniteData, UseInfiniteQueryResult } from "@tanstack/react-query";
import { useEffect, useState, type ReactNode } from "react";
import { ShowMore } from "./show-more.tsx";
import { Empty, Failed, Loading } from "./states.tsx";
import { Time } from "./time.tsx";

/** Empty pages that are read one after another before the person is asked whether to go on. */
const PAGES_TOGETHER_MAX = 10;

export type PagedProps = {
  list: UseInfiniteQueryResult<InfiniteData<unknown>>;
  /** The name of the data, for example "the members". */
  what: string;
  /** Shown if there are no rows. */
  empty: ReactNode;
  /** The button to the next page. */
  more: string;
  /** The rows since this time were looked through, of those that a filter selects from. */
  lookedBackTo?: string | null | undefined;
};

export function Paged({
  list,
  what,
  empty,
  more,
  lookedBackTo = null,
  isEmpty,
  children,
}: PagedProps & { isEmpty: boolean; children: ReactNode }) {
  const pages = list.data?.pages.length ?? 0;
  const [pagesMax, setPagesMax] = useState(PAGES_TOGETHER_MAX);
  // A page looks through a bounded number of rows, and may have none although later ones do.
  const readsOn = isEmpty && list.hasNextPage && !list.error && pages < pagesMax;
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
      {isEmpty && list.hasNextPage ? <Empty title="Nothing found so far.">There may be more.</Empty> : null}
      {lookedBackTo !== null && list.hasNextPage ? (
        <p className="mt-4 text-center text-sm text-muted">
          Looked back to <Time at={lookedBackTo} isExact />.
        </p>
      ) : null}
      <ShowMore list={list} label={more} onMore={() => setPagesMax(pages + PAGES_TOGETHER_MAX)} />
    </>
  );
}
