// One reversal: who asked for it, which awards it takes back and why, and its progress.
import { useState } from "react";
import { useParams } from "react-router";
import type { ReversalOfPerson } from "#contract/dashboard/reversals.ts";
import { useApi } from "../../api/use-api.ts";
import { CopyId } from "../../parts/copy-id.tsx";
import { Count } from "../../parts/count.tsx";
import { Fact } from "../../parts/fact.tsx";
import { KeyLink } from "../../parts/key-link.tsx";
import { BatchLink, TextLink } from "../../parts/links.tsx";
import { Loaded } from "../../parts/loaded.tsx";
import { MemberLink } from "../../parts/member-name.tsx";
import { Name } from "../../parts/name.tsx";
import { Page } from "../../parts/page.tsx";
import { Time } from "../../parts/time.tsx";
import { useClan } from "../../parts/use-clan.ts";

const REFRESH_MS = 2_000;

export function ReversalPage() {
  const { reversalId = "" } = useParams();
  const { clanId } = useClan();
  // A reversal that is done does not change any more.
  const [isDone, setIsDone] = useState(false);
  const params = { clanId, reversalId };
  const reversal = useApi("read-reversal", { params }, { refetchMs: isDone ? false : REFRESH_MS });
  if (!isDone && reversal.data?.status === "done") setIsDone(true);
  return (
    <Page title="Reversal" above={{ label: "Audit log", path: "audit" }}>
      <Loaded query={reversal} what="the reversal">
        {(facts) => <Facts clanId={clanId} reversal={facts} />}
      </Loaded>
    </Page>
  );
}

function Facts({ clanId, reversal }: { clanId: string; reversal: ReversalOfPerson }) {
  const { reversalId, by, name, actor, reason, status, selected, reversed, skipped, createdAt, finishedAt } = reversal;
  const counted = status === "queued" ? null : { selected, reversed, skipped };
  return (
    <dl className="grid grid-cols-2 gap-4 rounded-xl border border-line bg-panel p-4 sm:grid-cols-3">
      <Fact name="Requested by">{actor === null ? "An API key" : <Name>{actor}</Name>}</Fact>
      <Fact name={"awardId" in by ? "One award of" : "Awards of"}>
        <Selected clanId={clanId} by={by} name={name} />
      </Fact>
      <Fact name="Reason">{reason ?? "none"}</Fact>
      {"from" in by && by.from !== undefined ? (
        <Fact name="From">
          <Time at={by.from} isExact />
        </Fact>
      ) : null}
      {"to" in by && by.to !== undefined ? (
        <Fact name="To">
          <Time at={by.to} isExact />
        </Fact>
      ) : null}
      <Fact name="Status">{statusTexts[status]}</Fact>
      <Fact name="Awards found">
        <Count of={counted?.selected ?? null} none="not yet" />
      </Fact>
      <Fact name="Reversed">
        <Count of={counted?.reversed ?? null} none="not yet" />
      </Fact>
      <Fact name="Already reversed before">
        <Count of={counted?.skipped ?? null} none="not yet" />
      </Fact>
      <Fact name="Created">
        <Time at={createdAt} />
      </Fact>
      <Fact name="Finished">
        <Time at={finishedAt} none="not yet" />
      </Fact>
      <Fact name="Reversal">
        <CopyId id={reversalId} what="reversal ID" />
      </Fact>
    </dl>
  );
}

const statusTexts: Record<ReversalOfPerson["status"], string> = {
  queued: "Queued",
  running: "Running",
  done: "Done",
};

type SelectedProps = { clanId: string } & Pick<ReversalOfPerson, "by" | "name">;

function Selected({ clanId, by, name }: SelectedProps) {
  const path = `/clans/${encodeURIComponent(clanId)}`;
  if ("batchId" in by) return <BatchLink clanId={clanId} batchId={by.batchId} />;
  if ("matchId" in by) return <>Match {by.matchId}</>;
  if ("importName" in by) return <>Import {by.importName}</>;
  if ("keyId" in by) {
    return (
      <KeyLink clanId={clanId} keyId={by.keyId}>
        An API key
      </KeyLink>
    );
  }
  if ("resetId" in by) return <TextLink to={`${path}/resets`}>A reset</TextLink>;
  return <MemberLink clanId={clanId} platformId={by.platformId} name={name} />;
}
