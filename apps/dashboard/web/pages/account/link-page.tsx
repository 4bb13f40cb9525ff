// A link that works once: it signs in, or lets the person choose a password or a passkey first. The token follows the
// `#` of the address, which browsers do not send, and is removed from it immediately. Another link in the same tab
// replaces the first without a new page.
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { useNavigate } from "react-router";
import { ApiError } from "../../api/api-error.ts";
import { call } from "../../api/call.ts";
import { createPasskey, deviceName, passkeysAreSupported } from "../../api/passkeys.ts";
import { Button } from "../../parts/button.tsx";
import { Failed, Loading } from "../../parts/states.tsx";
import { AcceptInvitation } from "./accept-invitation.tsx";
import { Card, Or } from "./card.tsx";
import { NewPasswordForm } from "./new-password-form.tsx";

export function LinkPage() {
  const [{ token, number }, setLink] = useState(() => ({ token: tokenInAddress(), number: 1 }));
  useEffect(() => {
    const clearToken = () => window.history.replaceState(null, "", "/link");
    const onHashChange = () => {
      const another = tokenInAddress();
      if (another === "") return;
      setLink((before) => ({ token: another, number: before.number + 1 }));
      clearToken();
    };
    clearToken();
    window.addEventListener("hashchange", onHashChange);
    return () => window.removeEventListener("hashchange", onHashChange);
  }, []);
  return <OpenedLink key={number} token={token} number={number} />;
}

function tokenInAddress(): string {
  return window.location.hash.slice(1);
}

function OpenedLink({ token, number }: { token: string; number: number }) {
  const link = useQuery({
    // The token is not part of the key, because keys are visible in developer tools.
    queryKey: ["link", number],
    queryFn: () => call("look-at-link", { body: { token } }),
    staleTime: Infinity,
    gcTime: 0,
  });
  useEffect(() => {
    document.title = "Welcome · Clan XP";
  }, [link.isSuccess]);
  if (link.isPending) return <Loading what="the link" />;
  if (link.error) return <NotOpened error={link.error} onRetry={() => void link.refetch()} />;
  if (link.data.kind === "accept") return <AcceptInvitation token={token} invitation={link.data} />;
  return link.data.kind === "sign-in" ? (
    <SignInByLink token={token} />
  ) : (
    <Welcome token={token} name={link.data.accountName} />
  );
}

/** Only a response of the server makes a link invalid: after an outage, the link still works. */
function NotOpened({ error, onRetry }: { error: Error; onRetry: () => void }) {
  const isInvalid = error instanceof ApiError && error.code === "link_invalid";
  const title = isInvalid ? "Link not valid" : "Link not opened";
  useEffect(() => {
    document.title = `${title} · Clan XP`;
  }, [title]);
  return <Card title={title}>{isInvalid ? <Failed error={error} /> : <Failed error={error} onRetry={onRetry} />}</Card>;
}

/** Opens the dashboard once the link has signed the person in. */
function useLinkBy<Choice>(useIt: (choice: Choice) => Promise<unknown>) {
  const client = useQueryClient();
  const navigate = useNavigate();
  return useMutation({
    mutationFn: useIt,
    async onSuccess() {
      client.clear();
      await navigate("/", { replace: true });
    },
  });
}

async function chooseNewPasskey(token: string): Promise<void> {
  const { options } = await call("begin-passkey-by-link", { body: { token } });
  await call("use-link-with-passkey", {
    body: { token, name: deviceName(), credential: await createPasskey(options) },
  });
}

function SignInByLink({ token }: { token: string }) {
  const { mutate, error } = useLinkBy(() => call("use-link", { body: { token } }));
  const isSent = useRef(false);
  useEffect(() => {
    // Once: the link does not work twice.
    if (isSent.current) return;
    isSent.current = true;
    mutate();
  }, [mutate]);
  return error ? <NotOpened error={error} onRetry={() => mutate()} /> : <Loading what="your account" />;
}

function Welcome({ token, name }: { token: string; name: string }) {
  const byPassword = useLinkBy((password: string) => call("use-link", { body: { token, password } }));
  const byPasskey = useLinkBy(() => chooseNewPasskey(token));
  const error = byPassword.error ?? byPasskey.error;
  const isPending = byPassword.isPending || byPasskey.isPending;
  return (
    <Card title={`Welcome, ${name}`}>
      <p className="mb-4 text-muted">
        {passkeysAreSupported
          ? "Choose how you sign in from now on: a password or a passkey."
          : "Choose a password to sign in with from now on."}
      </p>
      {error ? (
        <div className="mb-4">
          <Failed error={error} />
        </div>
      ) : null}
      <NewPasswordForm
        accountName={name}
        isBusy={isPending}
        submitLabel="Set password and sign in"
        onSubmit={({ password }) => {
          byPasskey.reset();
          byPassword.mutate(password);
        }}
      />
      {passkeysAreSupported ? (
        <div className="mt-4 grid gap-4">
          <Or />
          <Button
            busy={isPending}
            onClick={() => {
              byPassword.reset();
              byPasskey.mutate();
            }}
          >
            Create a passkey
          </Button>
        </div>
      ) : null}
    </Card>
  );
}
