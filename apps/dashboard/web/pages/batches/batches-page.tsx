// The clan's batches, newest first.
import type { ListedBatchFacts } from "#contract/dashboard/batches.ts";
import { usePages } from "../../api/use-pages.ts";
import { BatchLink } from "../../parts/links.tsx";
import type { Column } from "../../parts/data-table.tsx";
import { Count } from "../../parts/count.tsx";
import { Page } from "../../parts/page.tsx";
import { PagedTable } from "../../parts/paged-table.tsx";
import { Empty } from "../../parts/states.tsx";
import { Time } from "../../parts/time.tsx";
import { useClan } from "../../parts/use-clan.ts";
import { BatchStatus } from "./batch-status.tsx";

const REFRESH_MS = 5_000;

export function BatchesPage() {
  const { clanId } = useClan();
  const list = usePages("list-batches", { params: { clanId } }, { refetchMs: REFRESH_MS });
  return (
    <Page title="Batches">
      <p className="mb-5 max-w-prose text-muted">
        A batch is a list of awards that a game server sent in one request. Workers apply them, in the order in which
        they were accepted.
      </p>
      <PagedTable
        list={list}
        what="the batches"
        label="Batches"
        columns={columnsFor(clanId)}
        rows={list.data?.pages.flatMap((page) => page.batches) ?? []}
        keyOf={({ batchId }) => batchId}
        empty={
          <Empty title="No batches yet.">
            Awards that game servers send one by one are in the ledger of each member.
          </Empty>
        }
        more="Show older batches"
      />
    </Page>
  );
}

function columnsFor(clanId: string): Column<ListedBatchFacts>[] {
  return [
    { header: "Batch", line: 1, cell: ({ batchId }) => <BatchLink clanId={clanId} batchId={batchId} /> },
    { header: "Status", line: 1, cell: (batch) => <BatchStatus batch={batch} /> },
    {
      header: "Awards",
      line: 2,
      isLabeled: true,
      isNumber: true,
      cell: ({ awards }) => <Count of={awards} none="unknown" />,
    },
    {
      header: "Applied",
      line: 2,
      isLabeled: true,
      isNumber: true,
      cell: ({ status, applied }) => <Count of={status === "done" ? applied : null} none="not yet" />,
    },
    { header: "Created", line: 2, cell: ({ createdAt }) => <Time at={createdAt} /> },
    { header: "Finished", line: null, cell: ({ finishedAt }) => <Time at={finishedAt} none="not yet" /> },
  ];
}
