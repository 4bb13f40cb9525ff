// How queries stay fresh and are retried, and what the end of a session does to all of them.
import { MutationCache, QueryCache, QueryClient } from "@tanstack/react-query";
import { ApiError } from "./api-error.ts";
import { meKey } from "./use-me.ts";

/**
 * The server itself waits some seconds for the database: more tries would hide for long that a page is no longer up to
 * date.
 */
const RETRIES_MAX = 1;
/** These pass by themselves; everything else fails the same way again. */
const PASSING: ReadonlySet<string> = new Set(["connection", "unavailable", "busy", "unexpected"]);

export function makeQueryClient(): QueryClient {
  function onError(error: Error): void {
    // Every page watches who is signed in, and shows the sign-in page.
    if (error instanceof ApiError && error.code === "signed_out") client.setQueryData(meKey, null);
  }
  const client = new QueryClient({
    queryCache: new QueryCache({ onError }),
    mutationCache: new MutationCache({ onError }),
    defaultOptions: {
      // A change that waited for the network would be made after its dialog was closed.
      queries: {
        networkMode: "always",
        refetchOnReconnect: true,
        staleTime: 2_000,
        retry: (failures, error) => failures < RETRIES_MAX && error instanceof ApiError && PASSING.has(error.code),
      },
      // Answers to changes hold secrets: nothing keeps them once they are shown.
      mutations: { networkMode: "always", retry: false, gcTime: 0 },
    },
  });
  return client;
}
