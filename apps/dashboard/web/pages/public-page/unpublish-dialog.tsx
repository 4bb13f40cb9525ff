// Ends the public page once the person has confirmed it.
import { useMutation } from "@tanstack/react-query";
import { SLUG_RESERVED_DAYS } from "#domain/public-page.ts";
import { call } from "../../api/call.ts";
import { useInvalidate } from "../../api/use-api.ts";
import { FormDialog } from "../../parts/form-dialog.tsx";
import { useToast } from "../../parts/toasts.tsx";

export function UnpublishDialog({ clanId, onClose }: { clanId: string; onClose(): void }) {
  const invalidate = useInvalidate();
  const toast = useToast();
  const unpublish = useMutation({
    mutationFn: () => call("unpublish-public-page", { params: { clanId } }),
    onSuccess() {
      toast({ title: "The page is unpublished" });
      onClose();
    },
    onSettled: () => invalidate("read-public-page"),
  });
  return (
    <FormDialog
      title="Unpublish the page"
      description={`Its address is not found any more, and boards that web sites embed are empty. The settings stay, and no other clan gets the address for ${SLUG_RESERVED_DAYS} days.`}
      error={unpublish.error}
      submit="Unpublish"
      isDanger
      isBusy={unpublish.isPending}
      onEdit={unpublish.reset}
      onSubmit={unpublish.mutate}
      onClose={onClose}
    />
  );
}
