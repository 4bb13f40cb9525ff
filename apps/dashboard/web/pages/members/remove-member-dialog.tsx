// Ends a membership. XP and ledger stay.
import { useMutation } from "@tanstack/react-query";
import { call } from "../../api/call.ts";
import { useInvalidate } from "../../api/use-api.ts";
import { Button } from "../../parts/button.tsx";
import { Dialog, DialogButtons } from "../../parts/dialog.tsx";
import { Failed } from "../../parts/states.tsx";
import { useToast } from "../../parts/toasts.tsx";

export function RemoveMemberDialog({
  params,
  onClose,
}: {
  params: { clanId: string; platformId: string };
  onClose(): void;
}) {
  const invalidate = useInvalidate();
  const toast = useToast();
  const remove = useMutation({
    mutationFn: () => call("remove-member", { params }),
    onSuccess() {
      toast({ title: `${params.platformId} is no member any more` });
      onClose();
    },
    onSettled: () => invalidate("read-member", "read-member-ledger", "list-members"),
  });
  return (
    <Dialog
      open
      onClose={onClose}
      title={`Remove ${params.platformId}`}
      description="The membership and an appointment end. XP and ledger stay. An Auto Clan does not take the member back by itself."
    >
      {remove.error ? <Failed error={remove.error} /> : null}
      <DialogButtons>
        <Button onClick={onClose}>Cancel</Button>
        <Button kind="danger" busy={remove.isPending} onClick={() => remove.mutate()}>
          Remove member
        </Button>
      </DialogButtons>
    </Dialog>
  );
}
