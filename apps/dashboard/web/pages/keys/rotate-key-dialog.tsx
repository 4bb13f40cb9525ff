// Replaces a key by a new one; the old one continues to work for a grace period.
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { graceHours, type KeyFacts } from "#contract/dashboard/keys.ts";
import { call } from "../../api/call.ts";
import { useInvalidate } from "../../api/use-api.ts";
import { FormDialog } from "../../parts/form-dialog.tsx";
import { SelectField } from "../../parts/select-field.tsx";
import { IssuedKeyDialog } from "./issued-key-dialog.tsx";

type Hours = (typeof graceHours)[number];
const texts: Record<Hours, string> = {
  0: "None: the old key stops now",
  1: "1 hour",
  24: "24 hours",
  72: "3 days",
  168: "7 days",
};

export function RotateKeyDialog({ clanId, rotated, onClose }: { clanId: string; rotated: KeyFacts; onClose(): void }) {
  const [hours, setHours] = useState<Hours>(24);
  const invalidate = useInvalidate();
  const rotate = useMutation({
    mutationFn: () => call("rotate-key", { params: { clanId, keyId: rotated.keyId }, body: { graceHours: hours } }),
    onSettled: () => invalidate("list-keys"),
  });
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
      <SelectField
        label="Grace period"
        hint="How long the old key still works, so that every game server can take the new one."
        options={graceHours.map((one) => [String(one), texts[one]] as const)}
        value={hours}
        onChange={(event) => setHours(graceHours.find((one) => one === Number(event.target.value)) ?? 24)}
      />
    </FormDialog>
  );
}
