// Withdraws a person's role in the clan, after their name has been typed.
import { useMutation } from "@tanstack/react-query";
import type { PersonFacts } from "#contract/dashboard/people.ts";
import { call } from "../../api/call.ts";
import { useInvalidate } from "../../api/use-api.ts";
import { FormDialog } from "../../parts/form-dialog.tsx";
import { useToast } from "../../parts/toasts.tsx";
import { useOwnAccess } from "./use-own-access.ts";

type Props = { clanId: string; person: PersonFacts; onClose(): void };

const descriptions: Record<PersonFacts["status"], string> = {
  active: "They lose access to this clan immediately. Their account stays, and so does what they changed.",
  invited: "The invitation ends: its link gives no access to this clan any more.",
};

export function RemovePersonDialog({ clanId, person: { name, status }, onClose }: Props) {
  const invalidate = useInvalidate();
  const leave = useOwnAccess();
  const toast = useToast();
  const remove = useMutation({
    mutationFn: () => call("remove-person", { params: { clanId, name } }),
    async onSuccess() {
      toast({ title: `${name} removed`, description: "They may not open this clan any more." });
      onClose();
      await leave(name);
    },
    onSettled: () => invalidate("list-people"),
  });
  return (
    <FormDialog
      title={`Remove ${name}`}
      description={descriptions[status]}
      error={remove.error}
      submit="Remove"
      isDanger
      confirms={name}
      isBusy={remove.isPending}
      onEdit={remove.reset}
      onSubmit={remove.mutate}
      onClose={onClose}
    />
  );
}
