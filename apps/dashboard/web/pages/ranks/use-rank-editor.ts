// The state of the ranks editor: the edits, their faults, their preview, and saving them.
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import type { RanksPreview, RankSettings } from "#contract/dashboard/ranks.ts";
import { call } from "../../api/call.ts";
import { useInvalidate } from "../../api/use-api.ts";
import { useToast } from "../../parts/toasts.tsx";
import {
  changesOf,
  draftOf,
  faultsOf,
  hasNewRanks,
  inOrder,
  requestOf,
  textOf,
  type RankDraft,
  type RankFault,
  type RankRow,
} from "./rank-draft.ts";

/**
 * The preview of the list with this text. `needsConfirmation`: the person tried to save the list, and it affects
 * members.
 */
type Known = { text: string; preview: RanksPreview; needsConfirmation: boolean };

export type RankEditor = ReturnType<typeof useRankEditor>;

// oxlint-disable-next-line eslint/max-lines-per-function -- edits, faults, preview and saving are one state
export function useRankEditor(clanId: string, stored: RankSettings) {
  const [edited, setEdited] = useState<RankDraft | null>(null);
  const [faults, setFaults] = useState<readonly RankFault[]>([]);
  const [known, setKnown] = useState<Known | null>(null);
  const invalidate = useInvalidate();
  const toast = useToast();
  const params = { clanId };
  const draft = edited ?? draftOf(stored);
  const shown = known?.text === textOf(draft) ? known : null;
  const changes = changesOf(draft);

  const preview = useMutation({
    mutationFn: (submitted: RankDraft) => call("preview-ranks", { params, body: requestOf(submitted) }),
    onSuccess: (response, submitted) =>
      setKnown({ text: textOf(submitted), preview: response, needsConfirmation: false }),
  });
  const save = useMutation({
    /**
     * Returns the preview if a confirmation is required first, otherwise null. A list whose preview was shown counts as
     * confirmed.
     */
    async mutationFn(submitted: RankDraft): Promise<RanksPreview | null> {
      if (hasNewRanks(submitted)) {
        const confirmed = known?.text === textOf(submitted);
        const response = await call("set-ranks", { params, body: { ...requestOf(submitted), confirmed } });
        if (response.kind === "unconfirmed") return response.preview;
        // If the rest fails, a retry is based on the list that is stored by now.
        setEdited({ ...draftOf(response.settings), autoClan: submitted.autoClan });
      }
      if (submitted.autoClan !== submitted.stored.autoClan)
        await call("set-auto-clan", { params, body: { autoClan: submitted.autoClan } });
      return null;
    },
    async onSuccess(unconfirmed, submitted) {
      if (unconfirmed) {
        setKnown({ text: textOf(submitted), preview: unconfirmed, needsConfirmation: true });
        return;
      }
      await invalidate("read-ranks", "count-rank-members", "list-members", "read-member");
      discard();
      toast({ title: "Ranks saved", description: "They take effect within a second." });
    },
    onError: () => invalidate("read-ranks"),
  });

  function change(edits: Partial<RankDraft>): void {
    setEdited({ ...draft, ...edits });
    setFaults([]);
    preview.reset();
    save.reset();
  }

  function discard(): void {
    setEdited(null);
    setFaults([]);
    setKnown(null);
  }

  /** Null if the draft has faults, which are then shown. */
  function checked(): RankDraft | null {
    const ordered = inOrder(draft);
    setEdited(ordered);
    const found = faultsOf(ordered);
    setFaults(found);
    return found.length === 0 ? ordered : null;
  }

  function run(act: (submitted: RankDraft) => void): void {
    const submitted = checked();
    preview.reset();
    save.reset();
    if (submitted) act(submitted);
  }

  return {
    draft,
    changes,
    /** Somebody else saved another list since the edits began. */
    isOutdated: edited !== null && !save.isPending && JSON.stringify(edited.stored) !== JSON.stringify(stored),
    shown,
    error: save.error ?? preview.error,
    isPreviewing: preview.isPending,
    isSaving: save.isPending,
    faults,
    faultOf: (index: number, field: keyof RankRow) =>
      faults.find(({ pointer }) => pointer === `/ranks/${index}/${field}`)?.detail,
    change,
    discard,
    preview: () => run(preview.mutate),
    save: () => run(save.mutate),
  };
}
