// Removes a passkey and ends every session except this one, because somebody else may have the device.
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import type { PasskeyFacts } from "#contract/dashboard/passkeys.ts";
import { call } from "../../api/call.ts";
import { useInvalidate } from "../../api/use-api.ts";
import { faultOf } from "../../parts/error-texts.ts";
import { FormDialog } from "../../parts/form-dialog.tsx";
import { useToast } from "../../parts/toasts.tsx";
import { CurrentPasswordField } from "./current-password-field.tsx";

type Props = { passkey: PasskeyFacts; hasPassword: boolean; onClose(): void };

export function RemovePasskeyDialog({ passkey, hasPassword, onClose }: Props) {
  const invalidate = useInvalidate();
  const toast = useToast();
  const [current, setCurrent] = useState("");
  const { mutate, error, isPending, reset } = useMutation({
    mutationFn: () => call("remove-passkey", { body: { id: passkey.id, current: hasPassword ? current : null } }),
    async onSuccess() {
      toast({ title: "Passkey removed", description: "Every other session of this account has ended." });
      onClose();
      await invalidate("list-passkeys");
    },
  });
  return (
    <FormDialog
      title={`Remove ${passkey.name}`}
      description="It no longer signs in to your account. Every other session of your account ends."
      error={faultOf(error, "/current") === undefined ? error : null}
      submit="Remove passkey"
      isDanger
      isBusy={isPending}
      onEdit={reset}
      onSubmit={mutate}
      onClose={onClose}
    >
      {hasPassword ? (
        <CurrentPasswordField value={current} onChange={(event) => setCurrent(event.target.value)} error={error} />
      ) : null}
    </FormDialog>
  );
}
