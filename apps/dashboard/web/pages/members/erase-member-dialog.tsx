// Erases everything that the clan stores of a member, after the person has typed the member's ID. A worker does it: the
// dialog shows how far it is, and may be closed meanwhile.
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { useNavigate } from "react-router";
import type { ErasureFacts } from "#contract/dashboard/members.ts";
import { call } from "../../api/call.ts";
import { useApi, useForget } from "../../api/use-api.ts";
import { Button } from "../../parts/button.tsx";
import { Dialog, DialogButtons } from "../../parts/dialog.tsx";
import { DialogForm } from "../../parts/dialog-form.tsx";
import { Note } from "../../parts/toned.tsx";
import { numberText } from "../../parts/numbers.ts";
import { Failed } from "../../parts/states.tsx";

const POLL_MS = 1_000;
/** A worker looks for erasures every 5 s. */
const BEGUN_MS_MAX = 20_000;

const ERASES =
  "Deletes their XP, membership and ledger in this clan, and removes their ID from batches and reversals. This cannot be undone. Backups that were made before keep the data.";

/** `who`: the member in a text. */
type Props = { params: { clanId: string; platformId: string }; who: string; onClose(): void };

export function EraseMemberDialog({ params, who, onClose }: Props) {
  const { clanId, platformId } = params;
  const erase = useMutation({ mutationFn: () => call("erase-member", { params }) });
  return (
    <Dialog
      open
      sticky={erase.isPending}
      onClose={onClose}
      title={`Erase ${who}`}
      {...(erase.data ? {} : { description: ERASES })}
    >
      {erase.data ? (
        <Progress clanId={clanId} begun={erase.data} onClose={onClose} />
      ) : (
        <DialogForm
          error={erase.error}
          submit="Erase"
          isDanger
          confirms={platformId}
          isBusy={erase.isPending}
          onEdit={erase.reset}
          onSubmit={erase.mutate}
          onClose={onClose}
        />
      )}
    </Dialog>
  );
}

function Progress({ clanId, begun, onClose }: { clanId: string; begun: ErasureFacts; onClose(): void }) {
  const navigate = useNavigate();
  const forget = useForget();
  const [beganMs] = useState(Date.now);
  const [isDone, setIsDone] = useState(false);
  const { erasureId } = begun;
  const erasure = useApi("read-erasure", { params: { clanId, erasureId } }, { refetchMs: isDone ? false : POLL_MS });
  const { state, entries } = erasure.data ?? begun;
  if (state === "done" && !isDone) setIsDone(true);
  const isLate = state === "waiting" && erasure.dataUpdatedAt - beganMs > BEGUN_MS_MAX;

  async function leave(): Promise<void> {
    onClose();
    if (!isDone) return;
    forget("list-members", "read-overview");
    await navigate(`/clans/${encodeURIComponent(clanId)}/members`);
  }

  return (
    <>
      <div className="grid gap-4">
        {erasure.error ? <Failed error={erasure.error} onRetry={() => void erasure.refetch()} /> : null}
        <Note role="status" tone={isDone ? "good" : isLate ? "warn" : "plain"}>
          {isDone ? `Erased. ${countText(entries)} deleted.` : isLate ? LATE : texts[state]}
        </Note>
        <p className="text-sm break-words text-muted">
          {isDone ? null : "You can close this dialog: the erasure continues. "}
          Its number in the audit log is <span className="font-mono">{erasureId}</span>.
        </p>
      </div>
      <DialogButtons>
        <Button kind="primary" onClick={() => void leave()}>
          {isDone ? "Done" : "Close"}
        </Button>
      </DialogButtons>
    </>
  );
}

const LATE = "No worker has begun yet. The erasure is recorded, and begins when a worker runs.";
const texts: Record<ErasureFacts["state"], string> = {
  waiting: "A worker begins in a few seconds.",
  running: "A worker erases the member. This usually takes 10 seconds, and at most 15 minutes.",
  done: "",
};

function countText(entries: number): string {
  return entries === 1 ? "1 entry was" : `${numberText(entries)} entries were`;
}
