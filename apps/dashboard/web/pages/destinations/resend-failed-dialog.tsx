// Sends everything again that has failed, after a question.
import { useMutation } from "@tanstack/react-query";
import type { DestinationFacts } from "#contract/dashboard/destinations.ts";
import { call } from "../../api/call.ts";
import { useInvalidate } from "../../api/use-api.ts";
import { FormDialog } from "../../parts/form-dialog.tsx";
import { numberText } from "../../parts/numbers.ts";
import { useToast } from "../../parts/toasts.tsx";

export function ResendFailedDialog({ destination, onClose }: { destination: DestinationFacts; onClose(): void }) {
  const { clanId, destinationId, failed } = destination;
  const invalidate = useInvalidate();
  const toast = useToast();
  const resend = useMutation({
    mutationFn: () => call("resend-deliveries", { params: { clanId, destinationId }, body: { failed: true } }),
    onSuccess({ events }) {
      toast({ title: `${numberText(events)} sent again` });
      onClose();
    },
    onSettled: () => invalidate("list-deliveries", "read-destination"),
  });
  const events = `${numberText(failed)} event${failed === 1 ? "" : "s"}`;
  return (
    <FormDialog
      title="Send failed again"
      description={`${events} that the receiver did not accept are sent once more, in their order, with the present secret and URL.`}
      error={resend.error}
      submit={`Send ${events}`}
      isBusy={resend.isPending}
      onEdit={resend.reset}
      onSubmit={resend.mutate}
      onClose={onClose}
    />
  );
}
