// One member: XP and rank, the history of the XP, and the changes that an owner or a moderator can make.
import { useState } from "react";
import { useParams } from "react-router";
import type { EntryKind } from "#domain/award.ts";
import type { MemberEntry, MemberFacts } from "#contract/dashboard/members.ts";
import { useApi } from "../../api/use-api.ts";
import { usePages } from "../../api/use-pages.ts";
import { Button } from "../../parts/button.tsx";
import { CopyId } from "../../parts/copy-id.tsx";
import { DownloadLink } from "../../parts/download-link.tsx";
import { Fact } from "../../parts/fact.tsx";
import { Loaded } from "../../parts/loaded.tsx";
import { Page } from "../../parts/page.tsx";
import { MemberName } from "../../parts/member-name.tsx";
import { memberText } from "../../parts/member-text.ts";
import { numberText } from "../../parts/numbers.ts";
import { RowMenu, type MenuAction } from "../../parts/row-menu.tsx";
import { RankProgress } from "./rank-progress.tsx";
import { PositionText } from "../../parts/position-text.tsx";
import { ShowMore } from "../../parts/show-more.tsx";
import { Failed, Loading } from "../../parts/states.tsx";
import { Time } from "../../parts/time.tsx";
import { useAskedDialog } from "../../parts/use-asked-dialog.ts";
import { useClan } from "../../parts/use-clan.ts";
import { Xp } from "../../parts/xp.tsx";
import { AddMemberDialog } from "./add-member-dialog.tsx";
import { AppointDialog } from "./appoint-dialog.tsx";
import { ChangeXpDialog } from "./change-xp-dialog.tsx";
import { KindSelect, NoEntries } from "./kind-select.tsx";
import { EntryTable } from "./entry-table.tsx";
import { EraseMemberDialog } from "./erase-member-dialog.tsx";
import { RemoveMemberDialog } from "./remove-member-dialog.tsx";
import { ReverseDialog } from "./reverse-dialog.tsx";
import { XpChart } from "./xp-chart.tsx";

const REFRESH_MS = 5_000;

type Open = "give" | "take" | "add" | "appoint" | "remove" | "erase";

export function MemberPage() {
  const { platformId = "" } = useParams();
  const { clanId, mayChange, mayGive } = useClan();
  const params = { clanId, platformId };
  const facts = useApi("read-member", { params }, { refetchMs: REFRESH_MS });
  const [open, setOpen] = useState<Open | null>(null);
  const close = (): void => setOpen(null);
  useAskedDialog<"members/:platformId">(mayGive ? ["give", "take"] : [], setOpen);
  const member = { platformId, name: facts.data?.member.name ?? null };
  const who = memberText(member);
  return (
    <Page
      title={member.name ?? platformId}
      above={{ label: "Members", path: "members" }}
      heading={
        <span className="flex items-center gap-3">
          <MemberName {...member} isLarge />
        </span>
      }
      actions={
        mayGive && facts.data ? <Actions who={who} facts={facts.data} mayChange={mayChange} onOpen={setOpen} /> : null
      }
    >
      <Loaded query={facts} what="the member">
        {(data) => (
          <>
            <Standing facts={data} />
            <XpChart params={params} />
            <Ledger params={params} who={who} />
            {open === "give" || open === "take" ? (
              <ChangeXpDialog
                clanId={clanId}
                members={[member]}
                isTaking={open === "take"}
                xp={data.member.xp}
                onClose={close}
              />
            ) : null}
            {open === "add" ? <AddMemberDialog {...params} who={who} onClose={close} /> : null}
            {open === "appoint" ? (
              <AppointDialog
                clanId={clanId}
                members={[{ ...member, rank: data.member.rank }]}
                appointable={data.appointable}
                onClose={close}
              />
            ) : null}
            {open === "remove" ? <RemoveMemberDialog clanId={clanId} members={[member]} onClose={close} /> : null}
          </>
        )}
      </Loaded>
      {/* Not with what is loaded: while the member is erased, there is nothing to load. */}
      {open === "erase" ? <EraseMemberDialog params={params} who={who} onClose={close} /> : null}
    </Page>
  );
}

type ActionsProps = { who: string; facts: MemberFacts; mayChange: boolean; onOpen(open: Open): void };

function Actions({ who, facts, mayChange, onOpen }: ActionsProps) {
  const isMember = facts.member.membership !== null;
  return (
    <div className="flex gap-2">
      <Button kind="primary" onClick={() => onOpen("give")}>
        Give XP
      </Button>
      {mayChange ? (
        <RowMenu label={`Actions of ${who}`} actions={rareActions(isMember, onOpen)} />
      ) : (
        <Button onClick={() => onOpen("take")}>Take XP</Button>
      )}
    </div>
  );
}

function rareActions(isMember: boolean, onOpen: (open: Open) => void): MenuAction[] {
  const opens = (label: string, open: Open) => ({ label, onChoose: () => onOpen(open) });
  const ofMembership = isMember
    ? [opens("Appoint", "appoint"), opens("Remove member", "remove")]
    : [opens("Add member", "add")];
  return [opens("Take XP", "take"), ...ofMembership, opens("Erase", "erase")];
}

function Standing({ facts: { member, appointedRank, rankFrom } }: { facts: MemberFacts }) {
  return (
    <dl className="mb-6 grid grid-cols-2 gap-4 rounded-xl border border-line bg-panel p-4 sm:grid-cols-4">
      <Fact isLarge name="XP">
        <Xp value={member.xp} />
      </Fact>
      <Fact isLarge name="Rank">
        {member.rank}
        {appointedRank === null ? null : <span className="text-sm font-normal text-muted"> appointed</span>}
      </Fact>
      <Fact isLarge name="Next rank">
        {member.nextRank === null || member.xpToNextRank === null ? (
          <span className="text-muted">none</span>
        ) : (
          <>
            {member.nextRank}{" "}
            <span className="text-sm font-normal text-muted">
              {member.xpToNextRank === "0" ? (
                "with a membership"
              ) : (
                <>
                  in <Xp value={member.xpToNextRank} /> XP
                </>
              )}
            </span>
            <RankProgress
              xp={member.xp}
              xpToNextRank={member.xpToNextRank}
              rankFrom={rankFrom}
              nextRank={member.nextRank}
            />
          </>
        )}
      </Fact>
      <Fact isLarge name="Member since">
        <Time at={member.membership?.since ?? null} none="not a member" />
      </Fact>
      <Fact isLarge name="Position">
        <PositionText position={member.position} />
        {member.position ? (
          <span className="text-sm font-normal text-muted"> of {numberText(member.position.of)}</span>
        ) : null}
      </Fact>
      <Fact isLarge name="Last award">
        <Time at={member.lastAwardAt} none="none" />
      </Fact>
      <Fact isLarge name="Player ID">
        <CopyId id={member.platformId} what="player ID" />
      </Fact>
    </dl>
  );
}

type LedgerProps = { params: { clanId: string; platformId: string }; who: string };

function Ledger({ params, who }: LedgerProps) {
  const [reversing, setReversing] = useState<MemberEntry | null>(null);
  const [kind, setKind] = useState<EntryKind | "">("");
  const query = kind === "" ? {} : { kind };
  const list = usePages("read-member-ledger", { params, query }, { refetchMs: REFRESH_MS });
  if (list.isPending) return <Loading what="the ledger" />;
  const entries: MemberEntry[] = list.data?.pages.flatMap((page) => page.entries) ?? [];
  return (
    <>
      {list.error ? <Failed error={list.error} onRetry={() => void list.refetch()} /> : null}
      <div className="mt-6 mb-3 flex flex-wrap items-center justify-between gap-3">
        <h2 className="text-lg font-semibold">Ledger</h2>
        <div className="flex flex-wrap items-center gap-3">
          <KindSelect value={kind} onChange={setKind} />
          <DownloadLink endpoint="export-member-ledger" params={params}>
            Export CSV
          </DownloadLink>
        </div>
      </div>
      {list.data && entries.length === 0 ? <NoEntries kind={kind} hasOlder={list.hasNextPage} /> : null}
      {entries.length > 0 ? <EntryTable clanId={params.clanId} entries={entries} onReverse={setReversing} /> : null}
      <ShowMore list={list} label="Show older entries" />
      {reversing ? (
        <ReverseDialog params={params} who={who} entry={reversing} onClose={() => setReversing(null)} />
      ) : null}
    </>
  );
}
