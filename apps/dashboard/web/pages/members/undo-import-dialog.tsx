// Takes back the XP that the imports of a name gave.
import type { ReversalPreview } from "#contract/reversal.ts";
import { call } from "../../api/call.ts";
import { useApi, useInvalidate } from "../../api/use-api.ts";
import { numberText } from "../../parts/numbers.ts";
import { UndoDialog } from "./undo-dialog.tsx";

export function UndoImportDialog({ clanId, name, onClose }: { clanId: string; name: string; onClose(): void }) {
  const params = { clanId };
  const invalidate = useInvalidate();
  return (
    <UndoDialog
      title="Undo import"
      preview={useApi("preview-undo-import", { params, query: { name } })}
      effectOf={(preview) => effectOf(preview, name)}
      outcome="Taking the XP back …"
      undo={() => call("undo-import", { params, body: { name } })}
      onSettled={() => invalidate("preview-undo-import", "list-members", "list-audit")}
      onClose={onClose}
    />
  );
}

function effectOf({ awards, members, amount }: ReversalPreview, name: string): string {
  if (awards === 0) return `There is nothing to take back: the import ${name} gave no XP, or is already undone.`;
  const taken = BigInt(amount);
  const effect = taken < 0n ? `Gives back ${numberText(-taken)} XP` : `Takes back ${numberText(taken)} XP`;
  const whom = members === 1 ? "1 member" : `${numberText(members)} members`;
  return `${effect} of ${whom}, all that was imported under the name ${name}, within the clan's minimum and maximum. Memberships, appointments and names stay. To import the same lines again, enter another name.`;
}
