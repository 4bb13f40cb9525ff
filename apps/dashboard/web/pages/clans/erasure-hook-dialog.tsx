// What opens instead of a clan's settings to manage a hook for Roblox's erasure requests: its URL and its new secret,
// which is shown once, or the question before its secret or the hook itself ends.
import type { MadeErasureHook } from "#contract/dashboard/erasure-hooks.ts";
import { ConfirmDialog } from "../../parts/confirm-dialog.tsx";
import { SecretField } from "../../parts/secret-field.tsx";
import { ShownOnceDialog } from "../../parts/shown-once-dialog.tsx";

export type OpenErasureHook =
  | { dialog: "made"; made: MadeErasureHook }
  | { dialog: "rotate"; hookId: string }
  | { dialog: "remove"; hookId: string };

/** `onBack`: to the settings. */
type Props = { clanId: string; onOpen(open: OpenErasureHook): void; onBack(): void };

export function ErasureHookDialog({ open, onClose, ...props }: Props & { open: OpenErasureHook; onClose(): void }) {
  if (open.dialog === "made") return <MadeDialog made={open.made} onClose={onClose} />;
  const Question = open.dialog === "rotate" ? RotateDialog : RemoveDialog;
  return <Question hookId={open.hookId} {...props} />;
}

function MadeDialog({ made: { url, secret }, onClose }: { made: MadeErasureHook; onClose(): void }) {
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

function RotateDialog({ clanId, hookId, onOpen, onBack }: Props & { hookId: string }) {
  return (
    <ConfirmDialog
      title="Rotate secret"
      description="The old secret ends immediately: until you have entered the new one at Roblox, its requests fail, and Roblox tries each five times."
      submit="Rotate secret"
      isDanger
      endpoint="rotate-erasure-hook"
      sent={{ params: { clanId, hookId } }}
      onDone={(made) => onOpen({ dialog: "made", made })}
      onClose={onBack}
    />
  );
}

function RemoveDialog({ clanId, hookId, onBack }: Props & { hookId: string }) {
  return (
    <ConfirmDialog
      title="Remove erasure hook"
      description="Its URL and its secret end, and cannot be restored: remove the webhook at Roblox, too. The requests that it has received are still done."
      submit="Remove"
      isDanger
      endpoint="remove-erasure-hook"
      sent={{ params: { clanId, hookId } }}
      note={() => ({ title: "Erasure hook removed" })}
      refreshes={["list-erasure-hooks"]}
      onClose={onBack}
    />
  );
}
