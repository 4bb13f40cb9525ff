// The progress and the result of the reversal of a key's awards, which continues without this dialog, too.
import { useEffect } from "react";
import type { KeyReversalAccepted, KeyReversalRequest } from "#contract/dashboard/key-reversals.ts";
import type { ReversalState } from "#contract/reversal.ts";
import { useApi, useInvalidate } from "../../api/use-api.ts";
import { Button } from "../../parts/button.tsx";
import { CopyId } from "../../parts/copy-id.tsx";
import { DialogButtons } from "../../parts/dialog.tsx";
import { Fact } from "../../parts/fact.tsx";
import { Note } from "../../parts/toned.tsx";
import { numberText } from "../../parts/numbers.ts";
import { Failed } from "../../parts/states.tsx";

const POLL_MS = 500;
const LEFT_POLL_MS = 2_000;

type Params = { clanId: string; keyId: string };
type Props = {
  params: Params;
  request: KeyReversalRequest;
  accepted: KeyReversalAccepted;
  /** The number of awards in the preview. */
  expected: number;
  onAgain(): void;
  onClose(): void;
};

export function KeyReversalProgress({ params, request, accepted, expected, onAgain, onClose }: Props) {
  const { clanId } = params;
  const { reversalId } = accepted;
  const invalidate = useInvalidate();
  const state = useApi("read-reversal", { params: { clanId, reversalId } }, { refetchMs: POLL_MS });
  const done = state.data?.status === "done" ? state.data : null;
  const isDone = done !== null;
  useEffect(() => {
    if (isDone)
      void invalidate("preview-key-reversal", "read-overview", "list-members", "read-member", "read-member-ledger");
    // Called once, when the reversal is done, although the function is a new one with each rendering.
  }, [isDone]);
  const reversed = state.data?.reversed ?? 0;
  return (
    <div className="grid gap-4">
      {state.error ? <Failed error={state.error} onRetry={() => void state.refetch()} /> : null}
      {done ? (
        <Result done={done} accepted={accepted} />
      ) : (
        <div role="status" className="grid gap-2 rounded-lg bg-sunken p-4">
          <p className="font-medium">
            {state.data?.status === "running"
              ? `Reversed ${numberText(reversed)} of ${numberText(expected)} awards`
              : "The reversal is queued. Waiting for a worker …"}
          </p>
          <progress
            aria-label="Reversed awards"
            max={Math.max(expected, reversed, 1)}
            value={reversed}
            className="h-2 w-full accent-accent"
          />
          {accepted.cancelled > 0 ? (
            <p className="text-sm">
              {accepted.cancelled === 1
                ? "1 award of an unfinished batch is cancelled."
                : `${numberText(accepted.cancelled)} awards of unfinished batches are cancelled.`}
            </p>
          ) : null}
          <p className="text-sm text-muted">The reversal continues if you close this dialog.</p>
        </div>
      )}
      <DialogButtons>
        {done ? <Left params={params} request={request} onAgain={onAgain} /> : null}
        <Button kind={done ? "primary" : "plain"} onClick={onClose}>
          {done ? "Done" : "Close"}
        </Button>
      </DialogButtons>
    </div>
  );
}

function Result({ done, accepted: { cancelled, unfinished } }: { done: ReversalState; accepted: KeyReversalAccepted }) {
  const { reversalId, reversed, skipped } = done;
  return (
    <div role="status" className="grid gap-4">
      <Note tone="good">
        {reversed === 1 ? "1 award is reversed." : `${numberText(reversed)} awards are reversed.`}
      </Note>
      <dl className="grid grid-cols-2 gap-4 tabular-nums sm:grid-cols-3">
        <Fact name="Already reversed before">{numberText(skipped)}</Fact>
        <Fact name="Cancelled in batches">{numberText(cancelled)}</Fact>
        <Fact name="Reversal">
          <CopyId id={reversalId} what="reversal ID" />
        </Fact>
      </dl>
      {unfinished > 0 ? (
        <Note tone="warn">
          {unfinished === 1 ? "A batch of the key was" : `${unfinished} batches of the key were`} still running. Look at
          what is left in a moment.
        </Note>
      ) : null}
    </div>
  );
}

/** Requests that were in progress when the key was revoked may have been applied after the reversal began. */
function Left({ params, request: { from, to }, onAgain }: Pick<Props, "params" | "request" | "onAgain">) {
  const left = useApi("preview-key-reversal", { params, query: { from, to } }, { refetchMs: LEFT_POLL_MS });
  if (!left.data || left.data.awards === 0) return null;
  return (
    <Button onClick={onAgain}>
      {left.data.awards === 1 ? "1 award is left" : `${numberText(left.data.awards)} awards are left`}
    </Button>
  );
}
