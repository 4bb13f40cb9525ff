// Ends a membership. XP and ledger stay.
import { useMutation } from "@tanstack/react-query";
import { call } from "../../api/call.ts";
import { useInvalidate } from "../../api/use-api.ts";
import { FormDialog } from "../../parts/form-dialog.tsx";
import { useToast } from "../../parts/toasts.tsx";

/** `who`: the member in a text. */
type Props = { params: { clanId: string; platformId: string }; who: string; onClose(): void };

export function RemoveMemberDialog({ params, who, onClose }: Props) {
  const invalidate = useInvalidate();
  const toast = useToast();
  const remove = useMutation({
    mutationFn: () => call("remove-member", { params }),
    onSuccess() {
      toast({ title: `${who} is no longer a member` });
      onClose();
    },
    onSettled: () => invalidate("read-member", "read-member-ledger", "list-members"),
  });
  return (
    <FormDialog
      title={`Remove ${who}`}
      description="The membership and an appointment end. XP and ledger stay. An Auto Clan does not take a removed member back automatically. To take them back later, use Add member."
      error={remove.error}
      submit="Remove member"
      isDanger
      isBusy={remove.isPending}
      onSubmit={remove.mutate}
      onClose={onClose}
    />
  );
}
