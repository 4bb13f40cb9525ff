// Removes an account: the person is signed out everywhere.
import { ConfirmDialog } from "../../parts/confirm-dialog.tsx";

export function RemoveAccountDialog({ name, onClose }: { name: string; onClose(): void }) {
  return (
    <ConfirmDialog
      title={`Remove ${name}`}
      description="The person is signed out everywhere and cannot sign in any more. What they changed remains. This cannot be undone."
      submit="Remove account"
      isDanger
      endpoint="remove-account"
      sent={{ params: { name } }}
      note={() => ({ title: `${name} removed`, description: "Every session of the account has ended." })}
      refreshes={["list-accounts"]}
      onClose={onClose}
    />
  );
}
