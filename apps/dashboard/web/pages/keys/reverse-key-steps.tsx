// The steps of a dialog that reverses the awards of a leaked key: the time span, the preview, then the progress and the
// result.
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import type { KeyReversalRequest } from "#contract/dashboard/key-reversals.ts";
import type { KeyFacts } from "#contract/dashboard/keys.ts";
import { call } from "../../api/call.ts";
import { useApi, useInvalidate } from "../../api/use-api.ts";
import { Button } from "../../parts/button.tsx";
import { DialogButtons } from "../../parts/dialog.tsx";
import { Note } from "../../parts/toned.tsx";
import { numberText } from "../../parts/numbers.ts";
import { consequenceText, ReversalCounts, reverseText } from "../../parts/reversal-counts.tsx";
import { Failed, Loading } from "../../parts/states.tsx";
import { Time } from "../../parts/time.tsx";
import { KeyReversalProgress } from "./key-reversal-progress.tsx";
import { KeySpanForm } from "./key-span-form.tsx";

type Params = { clanId: string; keyId: string };

export function ReverseKeySteps({
  clanId,
  reversed,
  onClose,
}: {
  clanId: string;
  reversed: KeyFacts;
  onClose(): void;
}) {
  const params = { clanId, keyId: reversed.keyId };
  const [request, setRequest] = useState<KeyReversalRequest | null>(null);
  const [isConfirming, setIsConfirming] = useState(false);
  const invalidate = useInvalidate();
  const reverse = useMutation({
    mutationFn: async ({ body, expected }: { body: KeyReversalRequest; expected: number }) => ({
      accepted: await call("reverse-key-awards", { params, body }),
      expected,
    }),
    onSettled: () => invalidate("preview-key-reversal", "list-batches"),
  });
  function again(): void {
    reverse.reset();
    setIsConfirming(true);
  }
  if (request && reverse.data) {
    return (
      <KeyReversalProgress params={params} request={request} {...reverse.data} onAgain={again} onClose={onClose} />
    );
  }
  if (request && isConfirming) {
    return (
      <Confirm
        params={params}
        request={request}
        error={reverse.error}
        isBusy={reverse.isPending}
        onBack={() => setIsConfirming(false)}
        onReverse={(expected) => reverse.mutate({ body: request, expected })}
      />
    );
  }
  return (
    <KeySpanForm
      createdAt={reversed.createdAt}
      before={request}
      onClose={onClose}
      onPreview={(submitted) => {
        setRequest(submitted);
        setIsConfirming(true);
      }}
    />
  );
}

type ConfirmProps = {
  params: Params;
  request: KeyReversalRequest;
  error: Error | null;
  isBusy: boolean;
  onBack(): void;
  onReverse(expected: number): void;
};

function Confirm({ params, request: { from, to }, error, isBusy, onBack, onReverse }: ConfirmProps) {
  const preview = useApi("preview-key-reversal", { params, query: { from, to } });
  const { awards, unfinishedBatches } = preview.data ?? { awards: 0, unfinishedBatches: 0 };
  return (
    <div className="grid gap-4">
      {error ? <Failed error={error} /> : null}
      {preview.isPending ? <Loading what="what the reversal would do" /> : null}
      {preview.error ? <Failed error={preview.error} onRetry={() => void preview.refetch()} /> : null}
      {preview.data ? (
        <>
          <p>
            From <Time at={from} isExact />{" "}
            {to === undefined ? (
              "until now"
            ) : (
              <>
                to <Time at={to} isExact />
              </>
            )}
            :
          </p>
          <ReversalCounts preview={preview.data} />
          {unfinishedBatches > 0 ? (
            <Note tone="warn">
              {unfinishedBatches === 1
                ? "1 unfinished batch of the key is cancelled: its remaining awards are not applied."
                : `${numberText(unfinishedBatches)} unfinished batches of the key are cancelled: their remaining awards are not applied.`}
            </Note>
          ) : null}
          <p className="text-muted">{consequenceText(awards, "in this time span")}</p>
        </>
      ) : null}
      <DialogButtons>
        <Button disabled={isBusy} onClick={onBack}>
          Back
        </Button>
        <Button
          kind="danger"
          disabled={awards + unfinishedBatches === 0}
          busy={isBusy}
          onClick={() => onReverse(awards)}
        >
          {actionOf(awards, unfinishedBatches)}
        </Button>
      </DialogButtons>
    </div>
  );
}

function actionOf(awards: number, unfinishedBatches: number): string {
  if (awards === 0 && unfinishedBatches > 0)
    return unfinishedBatches === 1 ? "Cancel 1 batch" : `Cancel ${numberText(unfinishedBatches)} batches`;
  return reverseText(awards);
}
