// Ends the public page once the person has confirmed it.
import { SLUG_RESERVED_DAYS } from "#domain/public-page.ts";
import { ConfirmDialog } from "../../parts/confirm-dialog.tsx";

export function UnpublishDialog({ clanId, onClose }: { clanId: string; onClose(): void }) {
  return (
    <ConfirmDialog
      title="Unpublish the page"
      description={`Its address is not found any more, and boards that web sites embed are empty. The settings stay, and no other clan gets the address for ${SLUG_RESERVED_DAYS} days.`}
      submit="Unpublish"
      isDanger
      endpoint="unpublish-public-page"
      sent={{ params: { clanId } }}
      note={() => ({ title: "The page is unpublished" })}
      refreshes={["read-public-page"]}
      onClose={onClose}
    />
  );
}
