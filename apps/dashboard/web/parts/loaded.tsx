// Shows the state of a query: loading, failed, or its last data even if a refresh failed.
import type { UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Failed, Loading } from "./states.tsx";

type Props<Data> = {
  query: UseQueryResult<Data>;
  /** The name of the data, for example "the keys". */
  what: string;
  children(data: Data): ReactNode;
};

export function Loaded<Data>({ query, what, children }: Props<Data>) {
  return (
    <>
      {query.isPending ? <Loading what={what} /> : null}
      {query.error ? (
        <div className="mb-5">
          <Failed error={query.error} onRetry={() => void query.refetch()} />
        </div>
      ) : null}
      {query.data === undefined ? null : children(query.data)}
    </>
  );
}
