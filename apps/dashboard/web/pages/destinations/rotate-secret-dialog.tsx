// Replaces the signing secret of a webhook; the old one signs, too, for a grace period.
import { useMutation } from "@tanstack/react-query";
import type { DestinationFacts } from "#contract/dashboard/destinations.ts";
import { call } from "../../api/call.ts";
import { FormDialog } from "../../parts/form-dialog.tsx";
import { GraceField, useGrace } from "../../parts/grace-field.tsx";
import { SecretDialog } from "./secret-dialog.tsx";

type Props = { destination: DestinationFacts; onClose(): void };

export function RotateSecretDialog({ destination, onClose }: Props) {
  const { clanId, destinationId, name } = destination;
  const [hours, setHours] = useGrace();
  const rotate = useMutation({
    mutationFn: () => call("rotate-destination", { params: { clanId, destinationId }, body: { graceHours: hours } }),
  });
  if (typeof rotate.data?.secret === "string")
    return (
      <SecretDialog title="Secret rotated" destination={destination} secret={rotate.data.secret} onClose={onClose} />
    );
  return (
    <FormDialog
      title={`Rotate secret of ${name}`}
      description="A new signing secret replaces the present one."
      error={rotate.error}
      submit="Rotate secret"
      isBusy={rotate.isPending}
      onEdit={rotate.reset}
      onSubmit={rotate.mutate}
      onClose={onClose}
    >
      <GraceField
        none="None: the old secret ends now"
        hint="How long requests carry the signature of the old secret, too."
        hours={hours}
        onChange={setHours}
      />
    </FormDialog>
  );
}
