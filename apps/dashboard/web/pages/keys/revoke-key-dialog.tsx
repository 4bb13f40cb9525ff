// Revokes a key permanently, after the person has typed its name. If it has leaked, its awards can be reversed directly
// afterwards. For a key that was revoked before, only the reversal is offered.
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import type { KeyFacts } from "#contract/dashboard/keys.ts";
import { call } from "../../api/call.ts";
import { useInvalidate } from "../../api/use-api.ts";
import { Dialog } from "../../parts/dialog.tsx";
import { DialogForm } from "../../parts/dialog-form.tsx";
import { isSameName } from "../../parts/same-name.ts";
import { TextField } from "../../parts/text-field.tsx";
import { useToast } from "../../parts/toasts.tsx";
import { ReverseKeySteps } from "./reverse-key-steps.tsx";

const REVOKES = "Every game server that uses this key stops awarding XP within a second. This cannot be undone.";
const REVERSES =
  "Each award that this key sent in the time span gets an entry that takes it back. Its unfinished batches are cancelled.";

export function RevokeKeyDialog({ clanId, revoked, onClose }: { clanId: string; revoked: KeyFacts; onClose(): void }) {
  const [typed, setTyped] = useState("");
  const [isLeaked, setIsLeaked] = useState(false);
  const invalidate = useInvalidate();
  const toast = useToast();
  const revoke = useMutation({
    mutationFn: () => call("revoke-key", { params: { clanId, keyId: revoked.keyId } }),
    onSuccess() {
      toast({ title: `Key ${revoked.name} revoked`, description: "Requests with it are rejected from now on." });
      if (!isLeaked) onClose();
    },
    onSettled: () => invalidate("list-keys"),
  });
  const isEnded = revoked.status === "revoked" || revoked.status === "expired";
  const isTyped = isSameName(typed, revoked.name);
  const isReversing = isEnded || (revoke.isSuccess && isLeaked);
  // One dialog for both steps: if a second dialog replaced it, a screen reader would read the page behind in between.
  return (
    <Dialog
      open
      sticky={revoke.isPending}
      onClose={onClose}
      title={isReversing ? `Reverse awards of ${revoked.name}` : `Revoke ${revoked.name}`}
      description={isReversing ? REVERSES : REVOKES}
    >
      {isReversing ? (
        <ReverseKeySteps clanId={clanId} reversed={revoked} onClose={onClose} />
      ) : (
        <DialogForm
          error={revoke.error}
          submit="Revoke key"
          isDanger
          isDisabled={!isTyped}
          isBusy={revoke.isPending}
          onEdit={revoke.reset}
          onSubmit={revoke.mutate}
          onClose={onClose}
        >
          <TextField
            label={`Type ${revoked.name} to confirm`}
            value={typed}
            onChange={(event) => setTyped(event.target.value)}
          />
          <label className="flex items-baseline gap-2.5">
            <input
              type="checkbox"
              checked={isLeaked}
              onChange={(event) => setIsLeaked(event.target.checked)}
              className="size-4 translate-y-0.5 accent-accent"
            />
            <span>
              The key has leaked{" "}
              <span className="block text-sm text-muted">Then choose a time span, and reverse what it awarded.</span>
            </span>
          </label>
        </DialogForm>
      )}
    </Dialog>
  );
}
