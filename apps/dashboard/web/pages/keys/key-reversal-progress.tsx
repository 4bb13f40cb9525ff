// The progress and the result of the reversal of a key's awards, with what became of its batches.
import type { KeyReversalAccepted, KeyReversalRequest } from "#contract/dashboard/key-reversals.ts";
import { useApi } from "../../api/use-api.ts";
import { Button } from "../../parts/button.tsx";
import { Fact } from "../../parts/fact.tsx";
import { Note } from "../../parts/toned.tsx";
import { numberText } from "../../parts/numbers.ts";
import { ReversalProgress } from "../../parts/reversal-progress.tsx";

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
  const { reversalId, cancelled, unfinished } = accepted;
  return (
    <ReversalProgress
      clanId={params.clanId}
      reversalId={reversalId}
      expected={expected}
      whileRunning={
        cancelled > 0 ? (
          <p className="text-sm">
            {cancelled === 1
              ? "1 award of an unfinished batch is cancelled."
              : `${numberText(cancelled)} awards of unfinished batches are cancelled.`}
          </p>
        ) : null
      }
      facts={<Fact name="Cancelled in batches">{numberText(cancelled)}</Fact>}
      below={
        unfinished > 0 ? (
          <Note tone="warn">
            {unfinished === 1 ? "A batch of the key was" : `${unfinished} batches of the key were`} still running. Look
            at what is left in a moment.
          </Note>
        ) : null
      }
      actions={<Left params={params} request={request} onAgain={onAgain} />}
      onClose={onClose}
    />
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
