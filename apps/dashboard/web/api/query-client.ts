// The defaults for refreshing and retrying queries, and the handling of an ended session.
import { MutationCache, QueryCache, QueryClient } from "@tanstack/react-query";
import { ApiError } from "./api-error.ts";
import { meKey } from "./use-me.ts";

/**
 * The server itself waits some seconds for the database: more attempts would hide for a long time that a page is
 * outdated.
 */
const RETRIES_MAX = 1;
/** These errors are temporary; all others would fail again. */
const PASSING: ReadonlySet<string> = new Set(["connection", "unavailable", "busy", "unexpected"]);

export function makeQueryClient(): QueryClient {
  function onError(error: Error): void {
    // Every page reads who is signed in, and then shows the sign-in page.
    if (error instanceof ApiError && error.code === "signed_out") client.setQueryData(meKey, null);
  }
  const client = new QueryClient({
    queryCache: new QueryCache({ onError }),
    mutationCache: new MutationCache({ onError }),
    defaultOptions: {
      // A change that waited for the network could be made after its dialog was closed.
      queries: {
        networkMode: "always",
        refetchOnReconnect: true,
        staleTime: 2_000,
        retry: (failures, error) => failures < RETRIES_MAX && error instanceof ApiError && PASSING.has(error.code),
      },
      // Responses to changes may contain secrets, so they are not cached after they were shown.
      mutations: { networkMode: "always", retry: false, gcTime: 0 },
    },
  });
  return client;
}
