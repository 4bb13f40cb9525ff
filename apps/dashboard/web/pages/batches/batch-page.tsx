// One batch: its state, and the result of each of its awards.
import { useState } from "react";
import { useParams } from "react-router";
import { ERASED } from "#domain/erased.ts";
import type { BatchFacts } from "#contract/dashboard/batches.ts";
import { useApi } from "../../api/use-api.ts";
import { Button } from "../../parts/button.tsx";
import { Count } from "../../parts/count.tsx";
import { CopyId } from "../../parts/copy-id.tsx";
import { DataTable, type Column } from "../../parts/data-table.tsx";
import { Fact } from "../../parts/fact.tsx";
import { Loaded } from "../../parts/loaded.tsx";
import { FreeText } from "../../parts/free-text.tsx";
import { MemberLink } from "../../parts/member-name.tsx";
import { Page } from "../../parts/page.tsx";
import { Empty } from "../../parts/states.tsx";
import { Time } from "../../parts/time.tsx";
import { useClan } from "../../parts/use-clan.ts";
import { Xp } from "../../parts/xp.tsx";
import { BatchStatus } from "./batch-status.tsx";
import { CancelBatchDialog } from "./cancel-batch-dialog.tsx";

const REFRESH_MS = 2_000;

type Result = BatchFacts["results"][number];

export function BatchPage() {
  const { batchId = "" } = useParams();
  const { clanId, mayChange } = useClan();
  const params = { clanId, batchId };
  const [isCancelling, setIsCancelling] = useState(false);
  // A batch that is done does not change any more.
  const [isDone, setIsDone] = useState(false);
  const batch = useApi("read-batch", { params }, { refetchMs: isDone ? false : REFRESH_MS });
  if (!isDone && batch.data?.status === "done") setIsDone(true);
  const mayCancel = mayChange && batch.data !== undefined && batch.data.status !== "done" && !batch.data.cancelled;
  return (
    <Page
      title="Batch"
      above={{ label: "Batches", path: "batches" }}
      actions={mayCancel ? <CancelButton onClick={() => setIsCancelling(true)} /> : null}
    >
      <Loaded query={batch} what="the batch">
        {(facts) => (
          <>
            <Standing batch={facts} />
            <h2 className="mt-6 mb-3 text-lg font-semibold">Results</h2>
            <Results clanId={clanId} batch={facts} />
          </>
        )}
      </Loaded>
      {isCancelling ? <CancelBatchDialog params={params} onClose={() => setIsCancelling(false)} /> : null}
    </Page>
  );
}

function CancelButton({ onClick }: { onClick(): void }) {
  return (
    <Button kind="warning" onClick={onClick}>
      Cancel batch
    </Button>
  );
}

function Standing({ batch }: { batch: BatchFacts }) {
  return (
    <dl className="grid grid-cols-2 gap-4 rounded-xl border border-line bg-panel p-4 sm:grid-cols-3">
      <Fact name="Batch">
        <CopyId id={batch.batchId} what="batch ID" />
      </Fact>
      <Fact name="Status">
        <BatchStatus batch={batch} />
      </Fact>
      <Fact name="Awards">
        <Count of={batch.awards} none="unknown" />
      </Fact>
      <Fact name="Applied">
        <Count of={batch.status === "done" ? batch.applied : null} none="not yet" />
      </Fact>
      <Fact name="Created">
        <Time at={batch.createdAt} />
      </Fact>
      <Fact name="Finished">
        <Time at={batch.finishedAt} none="not yet" />
      </Fact>
    </dl>
  );
}

function Results({ clanId, batch }: { clanId: string; batch: BatchFacts }) {
  if (!batch.hasResults) {
    return <Empty title="The results are no longer stored.">What was applied is in the ledger of each member.</Empty>;
  }
  if (batch.status !== "done") return <Empty title="No results yet.">They are shown once the batch is done.</Empty>;
  if (batch.results.length === 0) return <Empty title="The batch has no awards." />;
  return (
    <DataTable
      label="Results"
      columns={columnsFor(clanId, batch.names)}
      rows={batch.results}
      keyOf={({ index }) => String(index)}
    />
  );
}

function columnsFor(clanId: string, names: BatchFacts["names"]): Column<Result>[] {
  return [
    { header: "Index", line: 2, isLabeled: true, isNumber: true, cell: ({ index }) => index },
    { header: "Member", line: 1, cell: (result) => <Member clanId={clanId} result={result} names={names} /> },
    { header: "Result", line: 1, cell: ({ status }) => status },
    {
      header: "Balance",
      line: null,
      isNumber: true,
      cell: (result) => (result.status === "applied" ? <Xp value={result.xp} /> : null),
    },
    {
      header: "Rank or reason",
      line: 2,
      cell: (result) => (
        <FreeText>
          {result.status === "applied" ? result.rank : `${result.error.code}: ${result.error.detail}`}
        </FreeText>
      ),
    },
  ];
}

/** A rejected award may name no member, or an unknown one, and an erased member has no page. */
function Member({ clanId, result, names }: { clanId: string; result: Result; names: BatchFacts["names"] }) {
  if (result.status === "rejected" || result.platformId === ERASED)
    return <span className="break-all">{result.platformId ?? ""}</span>;
  return <MemberLink clanId={clanId} platformId={result.platformId} name={names[result.platformId] ?? null} />;
}
