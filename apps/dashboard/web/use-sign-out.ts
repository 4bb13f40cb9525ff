// Ends the session, and forgets what was loaded in it.
import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "react-router";
import { ApiError } from "./api/api-error.ts";
import { call } from "./api/call.ts";
import { meKey } from "./api/use-me.ts";
import { errorText } from "./parts/error-texts.ts";
import { useToast } from "./parts/toasts.tsx";

export function useSignOut(): () => Promise<void> {
  const client = useQueryClient();
  const navigate = useNavigate();
  const toast = useToast();
  return async () => {
    try {
      await call("sign-out");
    } catch (error) {
      // The session had already ended: nothing of it stays on the screen.
      if (!(error instanceof ApiError && error.code === "signed_out")) {
        toast({ title: "You are still signed in", description: errorText(error) });
        return;
      }
    }
    client.getMutationCache().clear();
    client.setQueryData(meKey, null);
    client.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== meKey[0] });
    // The next person to sign in here may not read this clan.
    await navigate("/");
  };
}
