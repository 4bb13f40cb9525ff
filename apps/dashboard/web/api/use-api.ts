// An endpoint as a query of TanStack: its name and parts are the key, so that `invalidate(name)` reaches every page
// that shows it.
import { keepPreviousData, useQuery, useQueryClient, type UseQueryResult } from "@tanstack/react-query";
import type { DashboardEndpointName } from "#contract/dashboard/endpoints.ts";
import { call, type ResponseOf, type Sent } from "./call.ts";

export function useApi<Name extends DashboardEndpointName>(
  name: Name,
  sent: Sent<Name>,
  /** `keepsLast`: the previous response is shown until the one for the new parts arrives. */
  options: { refetchMs?: number | false; enabled?: boolean; keepsPrevious?: boolean } = {},
): UseQueryResult<ResponseOf<Name>> {
  return useQuery({
    queryKey: [name, sent],
    queryFn: ({ signal }) => call(name, sent, signal),
    refetchInterval: options.refetchMs ?? false,
    enabled: options.enabled ?? true,
    ...(options.keepsPrevious ? { placeholderData: keepPreviousData } : {}),
  });
}

/** Pages that show these endpoints later must not show what was read before, not even while they load. */
export function useForget(): (...names: DashboardEndpointName[]) => void {
  const client = useQueryClient();
  return (...names) => {
    for (const name of names) client.removeQueries({ queryKey: [name] });
  };
}

/** Reads these endpoints again on every page that shows them. */
export function useInvalidate(): (...names: DashboardEndpointName[]) => Promise<void> {
  const client = useQueryClient();
  return async (...names) => {
    await Promise.all(names.map((name) => client.invalidateQueries({ queryKey: [name] })));
  };
}
