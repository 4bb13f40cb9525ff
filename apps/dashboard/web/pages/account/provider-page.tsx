// The page to which the identity provider sends the browser back. The provider's response is removed from the address
// immediately, and works only once and only here.
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { Link, useNavigate } from "react-router";
import { ApiError } from "../../api/api-error.ts";
import { call } from "../../api/call.ts";
import { Failed, Loading } from "../../parts/states.tsx";
import { Card } from "./card.tsx";

export function ProviderPage() {
  const [query] = useState(() => window.location.search.slice(1));
  const client = useQueryClient();
  const navigate = useNavigate();
  const [hasSession, setHasSession] = useState(false);
  const { mutate, error } = useMutation({
    mutationFn: () => call("finish-oidc", { body: { query } }),
    async onSuccess({ kind }) {
      client.clear();
      await navigate(kind === "connected" ? "/account" : "/", { replace: true });
    },
    // People who are not signed in come here to sign in, and others to connect their account. `error` is set if this
    // fails.
    onError: async () => setHasSession(await mayHaveSession()),
  });
  const isSent = useRef(false);
  useEffect(() => {
    document.title = "Sign in · Clan XP";
    // Once, because the provider's response cannot be used twice.
    if (isSent.current) return;
    isSent.current = true;
    window.history.replaceState(null, "", window.location.pathname);
    mutate();
  }, [mutate]);
  if (!error) return <Loading what="your account" />;
  return (
    <Card title={hasSession ? "Not connected" : "Not signed in"}>
      <Failed error={error} />
      <Link to={hasSession ? "/account" : "/"} className="mt-4 inline-block font-medium text-accent-ink underline">
        {hasSession ? "Back to your account" : "Back to the start"}
      </Link>
    </Card>
  );
}

/** True also while this is not known. */
async function mayHaveSession(): Promise<boolean> {
  try {
    await call("read-me", {});
    return true;
  } catch (error) {
    return !(error instanceof ApiError && error.code === "signed_out");
  }
}
