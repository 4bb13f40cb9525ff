// Sends everything again that has failed, after a question.
import type { DestinationFacts } from "#contract/dashboard/destinations.ts";
import { ConfirmDialog } from "../../parts/confirm-dialog.tsx";
import { numberText } from "../../parts/numbers.ts";

export function ResendFailedDialog({ destination, onClose }: { destination: DestinationFacts; onClose(): void }) {
  const { clanId, destinationId, failed } = destination;
  const events = `${numberText(failed)} event${failed === 1 ? "" : "s"}`;
  return (
    <ConfirmDialog
      title="Send failed again"
      description={`${events} that the receiver did not accept are sent once more, in their order, with the present secret and URL.`}
      submit={`Send ${events}`}
      endpoint="resend-deliveries"
      sent={{ params: { clanId, destinationId }, body: { failed: true } }}
      note={(sent) => ({ title: `${numberText(sent.events)} sent again` })}
      refreshes={["list-deliveries", "read-destination"]}
      onClose={onClose}
    />
  );
}
