// Reverses the awards of a key, a match or a player: the preview and the reason, then the progress and the result.
import { useMutation } from "@tanstack/react-query";
import { useState, type ReactNode } from "react";
import type { SelectedAwards } from "#contract/dashboard/awards.ts";
import { REASON_CHARS_MAX } from "#domain/bounds.ts";
import { call } from "../../api/call.ts";
import { useApi, useInvalidate } from "../../api/use-api.ts";
import { Dialog } from "../../parts/dialog.tsx";
import { DialogForm } from "../../parts/dialog-form.tsx";
import { consequenceText, ReversalCounts, reverseText } from "../../parts/reversal-counts.tsx";
import { ReversalProgress } from "../../parts/reversal-progress.tsx";
import { Failed, Loading } from "../../parts/states.tsx";
import { TextField } from "../../parts/text-field.tsx";
import { Time } from "../../parts/time.tsx";

/** `what`: such as "the match m-17". */
type Props = { clanId: string; selected: SelectedAwards; what: string; onClose(): void };

export function ReverseAwardsDialog({ clanId, selected, what, onClose }: Props) {
  const invalidate = useInvalidate();
  const reverse = useMutation({
    mutationFn: async ({ reason, expected }: { reason: string; expected: number }) => {
      const body = { ...selected, reason: reason.trim() === "" ? null : reason.trim() };
      return { ...(await call("reverse-awards", { params: { clanId }, body })), expected };
    },
    onSettled: () => invalidate("preview-awards-reversal", "list-awards"),
  });
  return (
    <Dialog
      open
      sticky={reverse.isPending}
      onClose={onClose}
      title="Reverse awards"
      description={<Selected selected={selected} what={what} />}
    >
      {reverse.data ? (
        <ReversalProgress clanId={clanId} {...reverse.data} onClose={onClose} />
      ) : (
        <Confirm clanId={clanId} selected={selected} reverse={reverse} onClose={onClose} />
      )}
    </Dialog>
  );
}

function Selected({ selected: { from, to }, what }: Pick<Props, "selected" | "what">): ReactNode {
  return (
    <>
      Each award of {what}
      {from === undefined ? null : (
        <>
          {" "}
          from <Time at={from} isExact />
        </>
      )}
      {to === undefined ? null : (
        <>
          {" "}
          to <Time at={to} isExact />
        </>
      )}{" "}
      gets an entry that takes it back.
    </>
  );
}

type ConfirmProps = Omit<Props, "what"> & {
  reverse: {
    error: Error | null;
    isPending: boolean;
    reset(): void;
    mutate(values: { reason: string; expected: number }): void;
  };
};

function Confirm({ clanId, selected, reverse, onClose }: ConfirmProps) {
  const [reason, setReason] = useState("");
  const preview = useApi("preview-awards-reversal", { params: { clanId }, query: selected });
  const awards = preview.data?.awards ?? 0;
  return (
    <DialogForm
      error={reverse.error}
      submit={preview.data ? reverseText(awards) : "Reverse"}
      isDanger
      isDisabled={awards === 0}
      isBusy={reverse.isPending}
      onEdit={reverse.reset}
      onSubmit={() => reverse.mutate({ reason, expected: awards })}
      onClose={onClose}
    >
      {preview.isPending ? <Loading what="what the reversal would do" /> : null}
      {preview.error ? <Failed error={preview.error} onRetry={() => void preview.refetch()} /> : null}
      {preview.data ? (
        <>
          <ReversalCounts preview={preview.data} />
          <p className="text-muted">{consequenceText(awards, "here")}</p>
        </>
      ) : null}
      <TextField
        label="Reason"
        hint="Optional. Shown in the ledger."
        maxLength={REASON_CHARS_MAX}
        value={reason}
        onChange={(event) => setReason(event.target.value)}
      />
    </DialogForm>
  );
}
