// What opens instead of a clan's settings to manage a hook for Roblox's erasure requests: its URL and its new secret,
// which is shown once, or the question before its secret or the hook itself ends.
import { useMutation } from "@tanstack/react-query";
import type { MadeErasureHook } from "#contract/dashboard/erasure-hooks.ts";
import { call } from "../../api/call.ts";
import { useInvalidate } from "../../api/use-api.ts";
import { FormDialog } from "../../parts/form-dialog.tsx";
import { SecretField } from "../../parts/secret-field.tsx";
import { ShownOnceDialog } from "../../parts/shown-once-dialog.tsx";
import { useToast } from "../../parts/toasts.tsx";

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
  const rotate = useMutation({
    mutationFn: () => call("rotate-erasure-hook", { params: { clanId, hookId } }),
    onSuccess: (made) => onOpen({ dialog: "made", made }),
  });
  return (
    <FormDialog
      title="Rotate secret"
      description="The old secret ends immediately: until you have entered the new one at Roblox, its requests fail, and Roblox tries each five times."
      error={rotate.error}
      submit="Rotate secret"
      isDanger
      isBusy={rotate.isPending}
      onSubmit={rotate.mutate}
      onClose={onBack}
    />
  );
}

function RemoveDialog({ clanId, hookId, onBack }: Props & { hookId: string }) {
  const invalidate = useInvalidate();
  const toast = useToast();
  const remove = useMutation({
    mutationFn: () => call("remove-erasure-hook", { params: { clanId, hookId } }),
    onSuccess() {
      toast({ title: "Erasure hook removed" });
      onBack();
    },
    onSettled: () => invalidate("list-erasure-hooks"),
  });
  return (
    <FormDialog
      title="Remove erasure hook"
      description="Its URL and its secret end, and cannot be restored: remove the webhook at Roblox, too. The requests that it has received are still done."
      error={remove.error}
      submit="Remove"
      isDanger
      isBusy={remove.isPending}
      onSubmit={remove.mutate}
      onClose={onBack}
    />
  );
}
