// Ends a key for good, once the person has typed its name.
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import type { KeyFacts } from "#contract/dashboard/keys.ts";
import { call } from "../../api/call.ts";
import { useInvalidate } from "../../api/use-api.ts";
import { Button } from "../../parts/button.tsx";
import { Dialog, DialogButtons } from "../../parts/dialog.tsx";
import { Field } from "../../parts/field.tsx";
import { Failed } from "../../parts/states.tsx";
import { useToast } from "../../parts/toasts.tsx";

export function RevokeKeyDialog({ clanId, revoked, onClose }: { clanId: string; revoked: KeyFacts; onClose(): void }) {
  const [typed, setTyped] = useState("");
  const invalidate = useInvalidate();
  const toast = useToast();
  const revoke = useMutation({
    mutationFn: () => call("revoke-key", { params: { clanId, keyId: revoked.keyId } }),
    onSuccess() {
      toast({ title: `Key ${revoked.name} revoked`, description: "Requests with it are rejected from now on." });
      onClose();
    },
    onSettled: () => invalidate("list-keys"),
  });
  const isTyped = typed.trim() === revoked.name.trim();
  return (
    <Dialog
      open
      onClose={onClose}
      title={`Revoke ${revoked.name}`}
      description="Every game server that uses this key stops awarding XP within a second. This cannot be undone."
    >
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          if (isTyped && !revoke.isPending) revoke.mutate();
        }}
        className="grid gap-4"
      >
        {revoke.error ? <Failed error={revoke.error} /> : null}
        <Field label={`Type ${revoked.name} to confirm`}>
          {(wiring) => (
            <input {...wiring} value={typed} onChange={(event) => setTyped(event.target.value)} autoComplete="off" className="field" />
          )}
        </Field>
        <DialogButtons>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" kind="danger" disabled={!isTyped} busy={revoke.isPending}>
            Revoke key
          </Button>
        </DialogButtons>
      </form>
    </Dialog>
  );
}
