// A paged list as a query of TanStack: the cursor of one page leads to the next.
import {
  keepPreviousData,
  useInfiniteQuery,
  type InfiniteData,
  type UseInfiniteQueryResult,
} from "@tanstack/react-query";
import type { DashboardEndpointName } from "#contract/dashboard/endpoints.ts";
import type { DashboardCode } from "#contract/dashboard/problem.ts";
import { ApiError } from "./api-error.ts";
import { call, type ResponseOf, type Sent } from "./call.ts";

type Paged<Name extends DashboardEndpointName> = ResponseOf<Name> extends { nextCursor: string | null } ? Name : never;

export function usePages<Name extends DashboardEndpointName>(
  name: Paged<Name>,
  sent: Sent<Name>,
  /**
   * `refetchMs`: fixed, or by the first page. `until`: after this error, the list is read again only when the person
   * returns to the page.
   */
  options: {
    refetchMs?: number | ((first: ResponseOf<Name> | undefined) => number);
    until?: DashboardCode;
  } = {},
): UseInfiniteQueryResult<InfiniteData<ResponseOf<Name>>> {
  return useInfiniteQuery({
    // Differs from the key of the single first page that useApi reads.
    queryKey: [name, "pages", sent],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam, signal }) =>
      call<Name>(name, { ...sent, query: { ...sent.query, cursor: pageParam } } as Sent<Name>, signal),
    getNextPageParam: (last) => (last as { nextCursor: string | null }).nextCursor ?? undefined,
    // Each page is a separate request, so a list of many pages is read less often.
    refetchInterval({ state: { data, error } }) {
      if (error instanceof ApiError && error.code === options.until) return false;
      const { refetchMs = 0 } = options;
      const ms = typeof refetchMs === "function" ? refetchMs(data?.pages[0]) : refetchMs;
      return ms * Math.max(1, data?.pages.length ?? 1) || false;
    },
    // The rows of a search stay until those of the next one are loaded, so that the page does not flicker with each
    // letter.
    placeholderData: keepPreviousData,
  });
}
