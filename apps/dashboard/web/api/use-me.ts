// Who is signed in: null when nobody is.
import { useQuery } from "@tanstack/react-query";
import type { Me } from "#contract/dashboard/account.ts";
import { ApiError } from "./api-error.ts";
import { call } from "./call.ts";

export const meKey = ["me"] as const;
/** A session that was ended elsewhere shows within so long, also on a page that asks for nothing. */
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
