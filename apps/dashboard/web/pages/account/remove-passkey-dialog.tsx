// Removes a passkey, and with it every session but this one: the device may be in other hands.
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import type { PasskeyFacts } from "#contract/dashboard/passkeys.ts";
import { ApiError } from "../../api/api-error.ts";
import { call } from "../../api/call.ts";
import { useInvalidate } from "../../api/use-api.ts";
import { Button } from "../../parts/button.tsx";
import { Dialog, DialogButtons } from "../../parts/dialog.tsx";
import { Field } from "../../parts/field.tsx";
import { Failed } from "../../parts/states.tsx";
import { useToast } from "../../parts/toasts.tsx";

type Props = { passkey: PasskeyFacts; hasPassword: boolean; onClose(): void };

export function RemovePasskeyDialog({ passkey, hasPassword, onClose }: Props) {
  const invalidate = useInvalidate();
  const toast = useToast();
  const [current, setCurrent] = useState("");
  const remove = useMutation({
    mutationFn: () => call("remove-passkey", { body: { id: passkey.id, current: hasPassword ? current : null } }),
    async onSuccess() {
      toast({ title: "Passkey removed", description: "Every other session of this account has ended." });
      onClose();
      await invalidate("list-passkeys");
    },
  });
  const currentFault =
    remove.error instanceof ApiError ? remove.error.faults.find(({ pointer }) => pointer === "/current") : undefined;
  return (
    <Dialog
      open
      onClose={onClose}
      title={`Remove ${passkey.name}`}
      description="It no longer signs in to your account. Every other session of your account ends."
    >
      <form
        noValidate
        className="grid gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          remove.mutate();
        }}
      >
        {remove.error && !currentFault ? <Failed error={remove.error} /> : null}
        {hasPassword ? (
          <Field label="Present password" error={currentFault?.detail}>
            {(wiring) => (
              <input
                {...wiring}
                type="password"
                autoComplete="current-password"
                value={current}
                onChange={(event) => setCurrent(event.target.value)}
                className="field"
              />
            )}
          </Field>
        ) : null}
        <DialogButtons>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" kind="danger" busy={remove.isPending}>
            Remove passkey
          </Button>
        </DialogButtons>
      </form>
    </Dialog>
  );
}
