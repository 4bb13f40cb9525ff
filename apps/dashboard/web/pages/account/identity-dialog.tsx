// Connects the account to the person's account at the provider, or disconnects it.
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { ApiError } from "../../api/api-error.ts";
import { call } from "../../api/call.ts";
import { useInvalidate } from "../../api/use-api.ts";
import { Button } from "../../parts/button.tsx";
import { Dialog, DialogButtons } from "../../parts/dialog.tsx";
import { Failed } from "../../parts/states.tsx";
import { useToast } from "../../parts/toasts.tsx";
import { PresentPasswordField } from "./present-password-field.tsx";

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
  const { mutate, error, isPending, isSuccess } = isConnected ? disconnect : connect;
  const isOfField = error instanceof ApiError && error.faults.length > 0;
  const what = isConnected ? "Disconnect" : "Connect";
  const ends = `Your ${provider} account no longer signs in to this account. Every other session of this account ends.`;
  return (
    <Dialog
      open
      onClose={onClose}
      title={`${what} ${provider}`}
      description={isConnected ? ends : `You continue at ${provider}.`}
    >
      <form
        noValidate
        className="grid gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          mutate();
        }}
      >
        {error && !isOfField ? <Failed error={error} /> : null}
        {hasPassword ? <PresentPasswordField value={password} onChange={setPassword} error={error} /> : null}
        <DialogButtons>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" kind={isConnected ? "danger" : "primary"} busy={isPending || isSuccess}>
            {what}
          </Button>
        </DialogButtons>
      </form>
    </Dialog>
  );
}
