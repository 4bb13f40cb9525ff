// The newest awards of the clan, reversals included.
import type { Overview } from "#contract/dashboard/overview.ts";
import { CLIPPED_ALWAYS } from "../../parts/clipped.ts";
import { FreeText } from "../../parts/free-text.tsx";
import { TextLink } from "../../parts/links.tsx";
import { MemberLink } from "../../parts/member-name.tsx";
import { Panel } from "../../parts/panel.tsx";
import { Time } from "../../parts/time.tsx";
import { XpChange } from "../../parts/xp.tsx";

/** About as high as the members beside them. */
const SHOWN_MAX = 7;

type Props = { clanId: string; newest: Overview["newest"] };

export function NewestAwards({ clanId, newest }: Props) {
  if (newest.length === 0) return null;
  return (
    <Panel
      title="Newest awards"
      actions={
        <TextLink to={`/clans/${encodeURIComponent(clanId)}/awards`} className="text-sm">
          All awards
        </TextLink>
      }
    >
      <ol aria-label="Newest awards" className="grid grid-cols-[minmax(0,1fr)] gap-2">
        {newest.slice(0, SHOWN_MAX).map((entry) => (
          <li key={`${entry.platformId}/${entry.awardId}`} className="grid grid-cols-[minmax(0,1fr)_auto] gap-x-3">
            <span className={CLIPPED_ALWAYS}>
              <MemberLink clanId={clanId} platformId={entry.platformId} name={entry.name} />
            </span>
            <span className="text-right">
              <XpChange value={entry.applied} />
            </span>
            <span className={`pl-9 text-sm text-muted ${CLIPPED_ALWAYS}`}>
              <FreeText>{entry.reason}</FreeText>
              {entry.reverses === undefined ? null : " reverses an award"}
            </span>
            <span className="text-right text-sm text-muted">
              <Time at={entry.at} />
            </span>
          </li>
        ))}
      </ol>
    </Panel>
  );
}
