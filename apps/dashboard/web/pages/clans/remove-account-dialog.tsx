// Removes an account: the person is signed out everywhere.
import { useMutation } from "@tanstack/react-query";
import { call } from "../../api/call.ts";
import { useInvalidate } from "../../api/use-api.ts";
import { FormDialog } from "../../parts/form-dialog.tsx";
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
    <FormDialog
      title={`Remove ${name}`}
      description="The person is signed out everywhere and cannot sign in any more. What they changed remains. This cannot be undone."
      error={remove.error}
      submit="Remove account"
      isDanger
      isBusy={remove.isPending}
      onSubmit={remove.mutate}
      onClose={onClose}
    />
  );
}
