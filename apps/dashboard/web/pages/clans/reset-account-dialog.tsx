// Gives an account a new link; its password and sessions end.
import { useAction } from "../../api/use-action.ts";
import { FormDialog } from "../../parts/form-dialog.tsx";
import { LinkDialog } from "../../parts/link-dialog.tsx";

export function ResetAccountDialog({ name, onClose }: { name: string; onClose(): void }) {
  const reset = useAction("reset-account", () => ({ params: { name } }), { refreshes: ["list-accounts"] });
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
