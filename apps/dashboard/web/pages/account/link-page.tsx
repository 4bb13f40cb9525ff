// A link that works once: it signs in, or lets the person choose a password first. The token is behind the `#` of the address, which
// browsers send nowhere, and is taken out of it at once.
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { useNavigate } from "react-router";
import { call } from "../../api/call.ts";
import { Failed, Loading } from "../../parts/states.tsx";
import { Card } from "./card.tsx";
import { NewPasswordForm } from "./new-password-form.tsx";

export function LinkPage() {
  const [token] = useState(() => window.location.hash.slice(1));
  useEffect(() => {
    document.title = "Welcome · Clan XP";
    window.history.replaceState(null, "", "/link");
  }, []);
  const look = useQuery({
    // The token is no part of the key: keys are for developers' eyes.
    queryKey: ["link"],
    queryFn: () => call("look-at-link", { body: { token } }),
    staleTime: Infinity,
    gcTime: 0,
  });
  if (look.isPending) return <Loading what="the link" />;
  if (look.error) {
    return (
      <Card title="Link not valid">
        <Failed error={look.error} />
      </Card>
    );
  }
  return look.data.kind === "sign-in" ? <SignInByLink token={token} /> : <Welcome token={token} name={look.data.accountName} />;
}

function useLink(token: string) {
  const client = useQueryClient();
  const navigate = useNavigate();
  return useMutation({
    mutationFn: (password: string | undefined) => call("use-link", { body: password === undefined ? { token } : { token, password } }),
    async onSuccess() {
      client.clear();
      await navigate("/", { replace: true });
    },
  });
}

function SignInByLink({ token }: { token: string }) {
  const { mutate, error } = useLink(token);
  const isSent = useRef(false);
  useEffect(() => {
    // Once: the link does not work twice.
    if (isSent.current) return;
    isSent.current = true;
    mutate(undefined);
  }, [mutate]);
  if (!error) return <Loading what="your account" />;
  return (
    <Card title="Link not valid">
      <Failed error={error} />
    </Card>
  );
}

function Welcome({ token, name }: { token: string; name: string }) {
  const { mutate, error, isPending } = useLink(token);
  return (
    <Card title={`Welcome, ${name}`}>
      <p className="mb-4 text-muted">Choose a password to sign in with from now on.</p>
      {error ? (
        <div className="mb-4">
          <Failed error={error} />
        </div>
      ) : null}
      <NewPasswordForm
        accountName={name}
        isBusy={isPending}
        submitLabel="Set password and sign in"
        onSubmit={({ password }) => mutate(password)}
      />
    </Card>
  );
}
