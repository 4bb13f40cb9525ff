// The clan's resets, coming and past: an owner resets XP, cancels a coming reset and undoes one that is done.
import { useState } from "react";
import type { ResetResponse } from "#contract/reset.ts";
import type { ResetState } from "#domain/reset.ts";
import { useApi } from "../../api/use-api.ts";
import { Button } from "../../parts/button.tsx";
import { CopyId } from "../../parts/copy-id.tsx";
import { DataTable, type Column } from "../../parts/data-table.tsx";
import { FreeText } from "../../parts/free-text.tsx";
import { Loaded } from "../../parts/loaded.tsx";
import { Name } from "../../parts/name.tsx";
import { numberText } from "../../parts/numbers.ts";
import { Page } from "../../parts/page.tsx";
import { RowMenu } from "../../parts/row-menu.tsx";
import { Empty } from "../../parts/states.tsx";
import { ZonedTime } from "../../parts/time.tsx";
import { Pill, type Look } from "../../parts/toned.tsx";
import { useClan } from "../../parts/use-clan.ts";
import { CancelResetDialog } from "./cancel-reset-dialog.tsx";
import { ResetDialog } from "./reset-dialog.tsx";
import { UndoResetDialog } from "./undo-reset-dialog.tsx";

/** How soon the progress of a reset is shown. */
const REFRESH_MS = 2_000;
const ID_CHARS = 12;

type Open = { dialog: "reset" } | { dialog: "cancel" | "undo"; reset: ResetResponse };

export function ResetsPage() {
  const { clanId, mayChange } = useClan();
  const list = useApi("list-resets", { params: { clanId } }, { refetchMs: REFRESH_MS });
  const [open, setOpen] = useState<Open | null>(null);
  const close = (): void => setOpen(null);
  return (
    <Page
      title="Resets"
      above={{ label: "Members", path: "members" }}
      actions={
        mayChange ? (
          <Button kind="primary" onClick={() => setOpen({ dialog: "reset" })}>
            Reset XP
          </Button>
        ) : null
      }
    >
      <p className="mb-5 max-w-prose text-muted">
        A reset takes the XP that members had at a time, except a share of it. What was awarded after that time stays.
        Memberships stay, and ranks follow. Times are shown in your time zone and in UTC.
      </p>
      <Loaded query={list} what="the resets">
        {({ resets }) => <Resets resets={resets} mayChange={mayChange} onOpen={setOpen} />}
      </Loaded>
      {open?.dialog === "reset" ? <ResetDialog clanId={clanId} onClose={close} /> : null}
      {open?.dialog === "cancel" ? <CancelResetDialog reset={open.reset} onClose={close} /> : null}
      {open?.dialog === "undo" ? <UndoResetDialog reset={open.reset} onClose={close} /> : null}
    </Page>
  );
}

function Resets(props: { resets: readonly ResetResponse[]; mayChange: boolean; onOpen(open: Open): void }) {
  const { resets, mayChange, onOpen } = props;
  if (resets.length === 0) {
    return (
      <Empty title="No resets yet.">
        {mayChange ? "Reset XP when a season ends." : "An owner of the clan can reset XP."}
      </Empty>
    );
  }
  return (
    <DataTable
      label="Resets"
      columns={columns}
      rows={resets}
      keyOf={({ resetId }) => resetId}
      actionsOf={mayChange && ((reset) => <Actions reset={reset} onOpen={onOpen} />)}
    />
  );
}

const columns: Column<ResetResponse>[] = [
  { header: "Time", line: 1, cell: ({ at }) => <ZonedTime at={at} /> },
  { header: "Members keep", line: 2, isLabeled: true, isNumber: true, cell: ({ keepPercent }) => `${keepPercent} %` },
  { header: "Status", line: 1, cell: ({ status }) => <Pill look={looks[status]} /> },
  { header: "Members", line: 2, isLabeled: true, isNumber: true, cell: ({ members }) => numberText(members) },
  { header: "XP taken", line: 2, isLabeled: true, isNumber: true, cell: ({ amount }) => numberText(amount) },
  { header: "Reason", line: null, cell: ({ reason }) => <FreeText>{reason ?? ""}</FreeText> },
  { header: "By", line: null, cell: ({ createdBy }) => <Name>{createdBy ?? ""}</Name> },
  { header: "Reset", line: null, cell: ({ resetId }) => <CopyId id={resetId} what="reset ID" chars={ID_CHARS} /> },
];

function Actions({ reset, onOpen }: { reset: ResetResponse; onOpen(open: Open): void }) {
  const isWaiting = reset.status === "scheduled" || reset.status === "queued";
  if (!isWaiting && (reset.status !== "done" || reset.members === 0)) return null;
  const action = isWaiting
    ? { label: "Cancel", onChoose: () => onOpen({ dialog: "cancel", reset }) }
    : { label: "Undo", onChoose: () => onOpen({ dialog: "undo", reset }) };
  return <RowMenu label={`Actions of the reset ${reset.resetId}`} actions={[action]} />;
}

const looks: Record<ResetState, Look> = {
  scheduled: { text: "Coming", tone: "warn", title: "It waits for its time." },
  queued: { text: "Queued", tone: "plain", title: "It waits for a worker." },
  running: { text: "Running", tone: "warn", title: "The XP is being taken." },
  done: { text: "Done", tone: "good", title: "The XP is taken." },
  cancelled: { text: "Cancelled", tone: "plain", title: "It was cancelled before it began." },
};
