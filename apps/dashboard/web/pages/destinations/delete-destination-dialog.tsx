// Deletes a destination after the person has typed its name.
import { useNavigate } from "react-router";
import type { DestinationFacts } from "#contract/dashboard/destinations.ts";
import { useForget } from "../../api/use-api.ts";
import { ConfirmDialog } from "../../parts/confirm-dialog.tsx";

export function DeleteDestinationDialog({ destination, onClose }: { destination: DestinationFacts; onClose(): void }) {
  const { clanId, destinationId, name } = destination;
  const forget = useForget();
  const navigate = useNavigate();
  const path = `/clans/${encodeURIComponent(clanId)}/destinations`;
  return (
    <ConfirmDialog
      title={`Delete ${name}`}
      description="What waits for it is not sent, and its secrets are deleted. This cannot be undone."
      submit="Delete destination"
      isDanger
      confirms={name}
      endpoint="remove-destination"
      sent={{ params: { clanId, destinationId } }}
      note={() => ({ title: `${name} deleted`, path })}
      refreshes={["list-destinations", "list-disabled-destinations"]}
      onDone={async () => {
        await navigate(path);
        forget("read-destination");
      }}
      onClose={onClose}
    />
  );
}
