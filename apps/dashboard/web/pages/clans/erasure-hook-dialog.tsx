// A new hook for Roblox's erasure requests: its URL, and its secret, which is shown once.
import type { MadeErasureHook } from "#contract/dashboard/clans.ts";
import { SecretField } from "../../parts/secret-field.tsx";
import { ShownOnceDialog } from "../../parts/shown-once-dialog.tsx";

export function ErasureHookDialog({ made: { url, secret }, onClose }: { made: MadeErasureHook; onClose(): void }) {
  return (
    <ShownOnceDialog
      sticky="The secret cannot be shown again."
      onClose={onClose}
      title="Roblox erasure requests"
      description="Enter both in the Creator Dashboard of Roblox, at Webhooks, with the trigger Right to Erasure Request. The secret cannot be shown again."
    >
      <SecretField label="Webhook URL" secret={url} />
      <SecretField label="Secret" secret={secret} />
    </ShownOnceDialog>
  );
}
