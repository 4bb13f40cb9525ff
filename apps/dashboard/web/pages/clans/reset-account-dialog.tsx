// Gives an account a new link; its password and sessions end.
import { useMutation } from "@tanstack/react-query";
import { call } from "../../api/call.ts";
import { useInvalidate } from "../../api/use-api.ts";
import { FormDialog } from "../../parts/form-dialog.tsx";
import { LinkDialog } from "../../parts/link-dialog.tsx";

export function ResetAccountDialog({ name, onClose }: { name: string; onClose(): void }) {
  const invalidate = useInvalidate();
  const reset = useMutation({
    mutationFn: () => call("reset-account", { params: { name } }),
    onSettled: () => invalidate("list-accounts"),
  });
  if (reset.data) return <LinkDialog invited={reset.data} onClose={onClose} />;
  return (
    <FormDialog
      title={`New link for ${name}`}
      description="The password, the passkeys and the connected identity stop working, and every session of the account ends immediately. The person opens the link to choose a password or a passkey."
      error={reset.error}
      submit="Create link"
      isDanger
      isBusy={reset.isPending}
      onSubmit={reset.mutate}
      onClose={onClose}
    />
  );
}
