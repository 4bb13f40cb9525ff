// Replaces a key by a new one; the old one continues to work for a grace period.
import type { KeyFacts } from "#contract/dashboard/keys.ts";
import { useAction } from "../../api/use-action.ts";
import { FormDialog } from "../../parts/form-dialog.tsx";
import { GraceField, useGrace } from "../../parts/grace-field.tsx";
import { IssuedKeyDialog } from "./issued-key-dialog.tsx";

export function RotateKeyDialog({ clanId, rotated, onClose }: { clanId: string; rotated: KeyFacts; onClose(): void }) {
  const [hours, setHours] = useGrace();
  const rotate = useAction(
    "rotate-key",
    () => ({ params: { clanId, keyId: rotated.keyId }, body: { graceHours: hours } }),
    { refreshes: ["list-keys"] },
  );
  if (rotate.data)
    return <IssuedKeyDialog clanId={clanId} issued={rotate.data} title="Key rotated" onClose={onClose} />;
  return (
    <FormDialog
      title={`Rotate ${rotated.name}`}
      description="A new key with the same name and scopes replaces this one."
      error={rotate.error}
      submit="Rotate key"
      isBusy={rotate.isPending}
      onEdit={rotate.reset}
      onSubmit={rotate.mutate}
      onClose={onClose}
    >
      <GraceField
        none="None: the old key stops now"
        hint="How long the old key still works, so that every game server can take the new one."
        hours={hours}
        onChange={setHours}
      />
    </FormDialog>
  );
}
