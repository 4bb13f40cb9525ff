// Removes an account: the person is signed out everywhere.
import { useMutation } from "@tanstack/react-query";
import { call } from "../../api/call.ts";
import { useInvalidate } from "../../api/use-api.ts";
import { Button } from "../../parts/button.tsx";
import { Dialog, DialogButtons } from "../../parts/dialog.tsx";
import { Failed } from "../../parts/states.tsx";
import { useToast } from "../../parts/toasts.tsx";

export function RemoveAccountDialog({ name, onClose }: { name: string; onClose(): void }) {
  const invalidate = useInvalidate();
  const toast = useToast();
  const remove = useMutation({
    mutationFn: () => call("remove-account", { params: { name } }),
    onSuccess() {
      toast({ title: `${name} removed`, description: "Every session of the account has ended." });
      onClose();
    },
    onSettled: () => invalidate("list-accounts"),
  });
  return (
    <Dialog
      open
      onClose={onClose}
      title={`Remove ${name}`}
      description="The person is signed out everywhere and cannot sign in any more. What they changed remains. This cannot be undone."
    >
      {remove.error ? <Failed error={remove.error} /> : null}
      <DialogButtons>
        <Button onClick={onClose}>Cancel</Button>
        <Button kind="danger" busy={remove.isPending} onClick={() => remove.mutate()}>
          Remove account
        </Button>
      </DialogButtons>
    </Dialog>
  );
}
