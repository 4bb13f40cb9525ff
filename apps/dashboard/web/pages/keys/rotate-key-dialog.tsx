// Replaces a key by a new one; the old one works on for a grace period.
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { graceHours, type KeyFacts } from "#contract/dashboard/keys.ts";
import { call } from "../../api/call.ts";
import { useInvalidate } from "../../api/use-api.ts";
import { Button } from "../../parts/button.tsx";
import { Dialog, DialogButtons } from "../../parts/dialog.tsx";
import { Field } from "../../parts/field.tsx";
import { Failed } from "../../parts/states.tsx";
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
    <Dialog
      open
      onClose={onClose}
      title={`Rotate ${rotated.name}`}
      description="A new key with the same name and scopes replaces this one."
    >
      <div className="grid gap-4">
        {rotate.error ? <Failed error={rotate.error} /> : null}
        <Field
          label="Grace period"
          hint="How long the old key still works, so that every game server can take the new one."
        >
          {(wiring) => (
            <select
              {...wiring}
              value={hours}
              onChange={(event) => setHours(graceHours.find((one) => one === Number(event.target.value)) ?? 24)}
              className="field"
            >
              {graceHours.map((one) => (
                <option key={one} value={one}>
                  {texts[one]}
                </option>
              ))}
            </select>
          )}
        </Field>
        <DialogButtons>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" busy={rotate.isPending} onClick={() => rotate.mutate()}>
            Rotate key
          </Button>
        </DialogButtons>
      </div>
    </Dialog>
  );
}
