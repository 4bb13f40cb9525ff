// Deletes a destination after the person has typed its name.
import { useMutation } from "@tanstack/react-query";
import { useNavigate } from "react-router";
import type { DestinationFacts } from "#contract/dashboard/destinations.ts";
import { call } from "../../api/call.ts";
import { useForget, useInvalidate } from "../../api/use-api.ts";
import { FormDialog } from "../../parts/form-dialog.tsx";
import { useToast } from "../../parts/toasts.tsx";

export function DeleteDestinationDialog({ destination, onClose }: { destination: DestinationFacts; onClose(): void }) {
  const { clanId, destinationId, name } = destination;
  const [invalidate, forget] = [useInvalidate(), useForget()];
  const toast = useToast();
  const navigate = useNavigate();
  const remove = useMutation({
    mutationFn: () => call("remove-destination", { params: { clanId, destinationId } }),
    async onSuccess() {
      const path = `/clans/${encodeURIComponent(clanId)}/destinations`;
      toast({ title: `${name} deleted`, path });
      await navigate(path);
      forget("read-destination");
    },
    onSettled: () => invalidate("list-destinations", "list-disabled-destinations"),
  });
  return (
    <FormDialog
      title={`Delete ${name}`}
      description="What waits for it is not sent, and its secrets are deleted. This cannot be undone."
      error={remove.error}
      submit="Delete destination"
      isDanger
      confirms={name}
      isBusy={remove.isPending}
      onEdit={remove.reset}
      onSubmit={remove.mutate}
      onClose={onClose}
    />
  );
}
