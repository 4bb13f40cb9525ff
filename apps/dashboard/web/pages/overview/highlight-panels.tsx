// Who gained the most XP in the last seven days, and how many members have each rank.
import type { Highlights } from "#contract/dashboard/overview.ts";
import { useApi } from "../../api/use-api.ts";
import { CLIPPED, CLIPPED_ALWAYS } from "../../parts/clipped.ts";
import { FreeText } from "../../parts/free-text.tsx";
import { MemberLink } from "../../parts/member-name.tsx";
import { Loaded } from "../../parts/loaded.tsx";
import { numberText } from "../../parts/numbers.ts";
import { Panel } from "../../parts/panel.tsx";
import { XpChange } from "../../parts/xp.tsx";

const REFRESH_MS = 5_000;

export function HighlightPanels({ clanId }: { clanId: string }) {
  const highlights = useApi("read-highlights", { params: { clanId } }, { refetchMs: REFRESH_MS });
  return (
    <Loaded query={highlights} what="members and ranks">
      {({ asOf, top, ranks }) => (
        <>
          <Panel title="Top this week" note="XP gained in the last 7 days">
            <Top clanId={clanId} top={top} />
          </Panel>
          <Panel title="Ranks" note="Members of each rank">
            {asOf === null ? <Counting /> : <Ranks ranks={ranks} />}
          </Panel>
        </>
      )}
    </Loaded>
  );
}

function Counting() {
  return <p className="text-muted">Counting …</p>;
}

function Top({ clanId, top }: { clanId: string; top: Highlights["top"] }) {
  if (top === "counting") return <Counting />;
  if (top === "too_many") return <p className="text-muted">There are too many awards to count them.</p>;
  if (top.length === 0) return <p className="text-muted">Nobody has gained XP.</p>;
  return (
    <ol aria-label="Top this week" className="grid grid-cols-[minmax(0,1fr)] gap-1.5">
      {top.map(({ member, gained }, index) => (
        <li key={member.platformId} className="flex items-baseline gap-3">
          <span className="w-6 shrink-0 text-right text-muted tabular-nums">{index + 1}</span>
          <span className={`min-w-0 flex-1 ${CLIPPED_ALWAYS}`}>
            <MemberLink clanId={clanId} platformId={member.platformId} name={member.name ?? null} />
          </span>
          <XpChange value={gained} />
        </li>
      ))}
    </ol>
  );
}

/** The bars show shares of the rank with the most members. */
function Ranks({ ranks }: { ranks: Highlights["ranks"] }) {
  const most = Math.max(1, ...ranks.map(({ members }) => members));
  return (
    <ul aria-label="Ranks" className="grid grid-cols-[minmax(0,1fr)] gap-2.5">
      {ranks.map(({ name, members }) => (
        <li key={name}>
          <span className="flex justify-between gap-3">
            <span className={`min-w-0 ${CLIPPED}`}>
              <FreeText>{name}</FreeText>
            </span>
            <span className="tabular-nums">{numberText(members)}</span>
          </span>
          <span aria-hidden="true" className="mt-1 block h-2 rounded-full bg-sunken">
            <span
              className="block h-2 rounded-full bg-accent-ink"
              style={{ width: `${(members / most) * 100}%`, minWidth: members > 0 ? "0.5rem" : 0 }}
            />
          </span>
        </li>
      ))}
    </ul>
  );
}
