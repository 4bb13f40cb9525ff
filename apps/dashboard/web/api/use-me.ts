// The person who is signed in; null if nobody is.
import { useQuery } from "@tanstack/react-query";
import type { Me } from "#contract/dashboard/account.ts";
import { ApiError } from "./api-error.ts";
import { call } from "./call.ts";

export const meKey = ["me"] as const;
/** A session that was ended elsewhere is noticed within this time, even on a page without other requests. */
const REFRESH_MS = 30_000;

export function useMe() {
  return useQuery<Me | null>({
    queryKey: meKey,
    refetchInterval: REFRESH_MS,
    async queryFn({ signal }) {
      try {
        return await call("read-me", {}, signal);
      } catch (error) {
        if (error instanceof ApiError && error.code === "signed_out") return null;
        throw error;
      }
    },
  });
}
