// The progress and the result of a reversal, which continues without the dialog that shows it, too.
import { useEffect, type ReactNode } from "react";
import type { ReversalState } from "#contract/reversal.ts";
import { useApi, useInvalidate } from "../api/use-api.ts";
import { Button } from "./button.tsx";
import { CopyId } from "./copy-id.tsx";
import { DialogButtons } from "./dialog.tsx";
import { Fact } from "./fact.tsx";
import { numberText } from "./numbers.ts";
import { Failed } from "./states.tsx";
import { Note } from "./toned.tsx";

const POLL_MS = 500;

type Props = {
  clanId: string;
  reversalId: string;
  /** The number of awards in the preview. */
  expected: number;
  /** What is shown besides: while it runs, among the facts of the result, below it, and beside its button. */
  whileRunning?: ReactNode;
  facts?: ReactNode;
  below?: ReactNode;
  actions?: ReactNode;
  onClose(): void;
};

export function ReversalProgress({ clanId, reversalId, expected, whileRunning, actions, onClose, ...result }: Props) {
  const invalidate = useInvalidate();
  const state = useApi("read-reversal", { params: { clanId, reversalId } }, { refetchMs: POLL_MS });
  const done = state.data?.status === "done" ? state.data : null;
  const isDone = done !== null;
  useEffect(() => {
    if (!isDone) return;
    void invalidate("preview-key-reversal", "preview-awards-reversal", "read-overview", "list-awards");
    void invalidate("list-members", "read-member", "read-member-ledger");
    // Called once, when the reversal is done, although the function is a new one with each rendering.
  }, [isDone]);
  const reversed = state.data?.reversed ?? 0;
  return (
    <div className="grid gap-4">
      {state.error ? <Failed error={state.error} onRetry={() => void state.refetch()} /> : null}
      {done ? (
        <Result done={done} {...result} />
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
          {whileRunning}
          <p className="text-sm text-muted">The reversal continues if you close this dialog.</p>
        </div>
      )}
      <DialogButtons>
        {done ? actions : null}
        <Button kind={done ? "primary" : "plain"} onClick={onClose}>
          {done ? "Done" : "Close"}
        </Button>
      </DialogButtons>
    </div>
  );
}

function Result({ done, facts, below }: { done: ReversalState } & Pick<Props, "facts" | "below">) {
  const { reversalId, reversed, skipped } = done;
  return (
    <div role="status" className="grid gap-4">
      <Note tone="good">
        {reversed === 1 ? "1 award is reversed." : `${numberText(reversed)} awards are reversed.`}
      </Note>
      <dl className="grid grid-cols-2 gap-4 tabular-nums sm:grid-cols-3">
        <Fact name="Already reversed before">{numberText(skipped)}</Fact>
        {facts}
        <Fact name="Reversal">
          <CopyId id={reversalId} what="reversal ID" />
        </Fact>
      </dl>
      {below}
    </div>
  );
}
