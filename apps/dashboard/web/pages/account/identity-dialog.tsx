// Connects the account to the person's account at the provider, or disconnects it.
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { call } from "../../api/call.ts";
import { useInvalidate } from "../../api/use-api.ts";
import { faultOf } from "../../parts/error-texts.ts";
import { FormDialog } from "../../parts/form-dialog.tsx";
import { useToast } from "../../parts/toasts.tsx";
import { CurrentPasswordField } from "./current-password-field.tsx";

type Props = { provider: string; isConnected: boolean; hasPassword: boolean; onClose(): void };

export function IdentityDialog({ provider, isConnected, hasPassword, onClose }: Props) {
  const invalidate = useInvalidate();
  const toast = useToast();
  const [password, setPassword] = useState("");
  const body = { current: hasPassword ? password : null };
  const connect = useMutation({
    mutationFn: () => call("connect-identity", { body }),
    onSuccess: ({ url }) => window.location.assign(url),
  });
  const disconnect = useMutation({
    mutationFn: () => call("disconnect-identity", { body }),
    async onSuccess() {
      toast({ title: `${provider} disconnected`, description: "Every other session of this account has ended." });
      onClose();
      await invalidate("read-identity");
    },
  });
  const { mutate, error, isPending, isSuccess, reset } = isConnected ? disconnect : connect;
  const what = isConnected ? "Disconnect" : "Connect";
  const ends = `Your ${provider} account no longer signs in to this account. Every other session of this account ends.`;
  return (
    <FormDialog
      title={`${what} ${provider}`}
      description={isConnected ? ends : `You continue at ${provider}.`}
      error={faultOf(error, "/current") === undefined ? error : null}
      submit={what}
      isDanger={isConnected}
      isBusy={isPending || isSuccess}
      onEdit={reset}
      onSubmit={mutate}
      onClose={onClose}
    >
      {hasPassword ? (
        <CurrentPasswordField value={password} onChange={(event) => setPassword(event.target.value)} error={error} />
      ) : null}
    </FormDialog>
  );
}
