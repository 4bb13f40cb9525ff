// Sign-in by name and password, by a passkey, or through the identity provider.
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { useForm } from "react-hook-form";
import { call } from "../../api/call.ts";
import { passkeysAreSupported } from "../../api/passkeys.ts";
import { useApi } from "../../api/use-api.ts";
import { meKey } from "../../api/use-me.ts";
import { Button } from "../../parts/button.tsx";
import { Failed } from "../../parts/states.tsx";
import { TextField } from "../../parts/text-field.tsx";
import { Card, Or } from "./card.tsx";
import { PasskeyButton } from "./passkey-button.tsx";
import { ProviderButton } from "./provider-button.tsx";

type Values = { name: string; password: string };

/** The only checks of the name and the password on this page, because the first screen does not load the schemas. */
const required = { required: "is required" };

/** `note`: why the person, who opened a link, signs in. */
export function SignInPage({ note }: { note?: string }) {
  const client = useQueryClient();
  const form = useForm<Values>({ defaultValues: { name: "", password: "" } });
  const { errors } = form.formState;
  const provider = useApi("read-provider", {}).data?.name ?? null;
  const signIn = useMutation({
    mutationFn: (body: Values) => call("sign-in", { body }),
    // Data of a previous person in this browser must not be shown to this one.
    onSuccess: () => client.resetQueries(),
    onError: () => form.resetField("password"),
  });
  useEffect(() => {
    document.title = "Sign in · Clan XP";
    return () => void client.invalidateQueries({ queryKey: meKey });
  }, [client]);
  return (
    <Card title="Sign in">
      {note === undefined ? null : <p className="mb-4 text-muted">{note}</p>}
      <form
        noValidate
        onSubmit={(event) => void form.handleSubmit((values) => signIn.mutate(values))(event)}
        className="grid gap-4"
      >
        {signIn.error ? <Failed error={signIn.error} /> : null}
        <TextField
          label="Name or e-mail"
          error={errors.name?.message}
          autoComplete="username"
          autoCapitalize="none"
          {...form.register("name", required)}
        />
        <TextField
          label="Password"
          error={errors.password?.message}
          type="password"
          autoComplete="current-password"
          {...form.register("password", required)}
        />
        <Button type="submit" kind="primary" busy={signIn.isPending}>
          Sign in
        </Button>
      </form>
      {passkeysAreSupported || provider !== null ? (
        <div className="mt-4 grid gap-4">
          <Or />
          {passkeysAreSupported ? <PasskeyButton /> : null}
          {provider === null ? null : <ProviderButton name={provider} />}
          {/* The link is a secret, which no browser storage keeps meanwhile. */}
          {provider === null || note === undefined ? null : (
            <p className="text-sm text-muted">After you have signed in with {provider}, open the link again.</p>
          )}
        </div>
      ) : null}
      <p className="mt-4 text-sm text-muted">
        No account, or no password? Ask an operator of this installation for a link.
      </p>
    </Card>
  );
}
