// A dialog that asks before something is done. It stays open while the request is in progress, and with its error.
import type { ReactNode } from "react";
import type { DashboardEndpointName } from "#contract/dashboard/endpoints.ts";
import type { Sent } from "../api/call.ts";
import { useAction, type ActionEffects } from "../api/use-action.ts";
import type { DialogFormProps } from "./dialog-form.tsx";
import { FormDialog } from "./form-dialog.tsx";

type Shown = Pick<
  DialogFormProps,
  "submit" | "isDanger" | "isDisabled" | "confirms" | "cancel" | "children" | "onClose"
>;

/** `onDone`: instead of closing. */
type Props<Name extends DashboardEndpointName> = Shown &
  ActionEffects<Name> & { title: string; description: ReactNode; endpoint: Name; sent: Sent<Name> };

export function ConfirmDialog<Name extends DashboardEndpointName>({
  endpoint,
  sent,
  refreshes = [],
  note,
  onDone,
  ...shown
}: Props<Name>) {
  const { error, isPending, reset, mutate } = useAction(endpoint, () => sent, {
    refreshes,
    ...(note ? { note } : {}),
    onDone: onDone ?? shown.onClose,
  });
  return <FormDialog {...shown} error={error} isBusy={isPending} onEdit={reset} onSubmit={mutate} />;
}
