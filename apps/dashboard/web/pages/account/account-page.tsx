// The account of the person who is signed in: its roles, and its ways to sign in.
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { call } from "../../api/call.ts";
import { meKey, useMe } from "../../api/use-me.ts";
import { faultOf } from "../../parts/error-texts.ts";
import { Page } from "../../parts/page.tsx";
import { Failed } from "../../parts/states.tsx";
import { useToast } from "../../parts/toasts.tsx";
import { IdentitySection } from "./identity-section.tsx";
import { NewPasswordForm } from "./new-password-form.tsx";
import { PasskeysSection } from "./passkeys-section.tsx";

export function AccountPage() {
  const { data: me } = useMe();
  const client = useQueryClient();
  const toast = useToast();
  const [formNumber, setFormNumber] = useState(0);
  const change = useMutation({
    mutationFn: (body: { current: string | null; password: string }) => call("change-password", { body }),
    async onSuccess() {
      setFormNumber((number) => number + 1);
      toast({ title: "Password changed", description: "Every other session of this account has ended." });
      await client.invalidateQueries({ queryKey: meKey });
    },
  });
  if (!me) return null;
  return (
    <Page title="Account">
      <dl className="mb-6 grid max-w-xl grid-cols-[auto_1fr] gap-x-6 gap-y-2 rounded-xl border border-line bg-panel p-5">
        <dt className="text-muted">Name</dt>
        <dd className="break-all">{me.name}</dd>
        <dt className="text-muted">Role</dt>
        <dd>
          {me.operator ? "operator of all clans" : me.clans.map((clan) => `${clan.role} of ${clan.name}`).join(", ")}
        </dd>
      </dl>
      <section className="max-w-xl rounded-xl border border-line bg-panel p-5">
        <h2 className="mb-4 text-lg font-semibold">{me.hasPassword ? "Change password" : "Set a password"}</h2>
        {change.error && faultOf(change.error, "/current") === undefined ? (
          <div className="mb-4">
            <Failed error={change.error} />
          </div>
        ) : null}
        <NewPasswordForm
          key={formNumber}
          accountName={me.name}
          needsCurrent={me.hasPassword}
          isBusy={change.isPending}
          submitLabel={me.hasPassword ? "Change password" : "Set password"}
          error={change.error}
          onSubmit={({ current, password }) => change.mutate({ current: me.hasPassword ? current : null, password })}
        />
      </section>
      <PasskeysSection hasPassword={me.hasPassword} />
      <IdentitySection hasPassword={me.hasPassword} />
    </Page>
  );
}
