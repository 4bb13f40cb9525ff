// Ends a boost. Awards that it has raised stay raised.
import { useMutation } from "@tanstack/react-query";
import type { ListedBoost } from "#contract/dashboard/boosts.ts";
import { call } from "../../api/call.ts";
import { useInvalidate } from "../../api/use-api.ts";
import { FormDialog } from "../../parts/form-dialog.tsx";
import { useToast } from "../../parts/toasts.tsx";

const ENDS = "It stops raising awards within a second, and cannot be resumed. Awards that it has raised stay raised.";

export function EndBoostDialog({ clanId, boost, onClose }: { clanId: string; boost: ListedBoost; onClose(): void }) {
  const invalidate = useInvalidate();
  const toast = useToast();
  const end = useMutation({
    mutationFn: () => call("end-boost", { params: { clanId, boostId: boost.boostId } }),
    onSuccess() {
      toast({ title: `${boost.name} ended` });
      onClose();
    },
    onSettled: () => invalidate("list-boosts"),
  });
  return (
    <FormDialog
      title={`End ${boost.name}`}
      description={ENDS}
      error={end.error}
      submit="End boost"
      isDanger
      isBusy={end.isPending}
      onSubmit={end.mutate}
      onClose={onClose}
    />
  );
}
