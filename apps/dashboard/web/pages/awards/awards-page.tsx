// Who gave XP to whom, when and why: the awards of all members, and the reversal of those that a filter selects.
import { useDeferredValue, useEffect, useId, useState } from "react";
import { useLocation, useSearchParams } from "react-router";
import type { ListedAward } from "#contract/dashboard/awards.ts";
import { useApi } from "../../api/use-api.ts";
import { usePages } from "../../api/use-pages.ts";
import { Button } from "../../parts/button.tsx";
import { DownloadLink } from "../../parts/download-link.tsx";
import { Page } from "../../parts/page.tsx";
import { useClan } from "../../parts/use-clan.ts";
import { ReverseDialog } from "../members/reverse-dialog.tsx";
import { AwardTable } from "./award-table.tsx";
import { addressOf, filterIn, queryOf, selectionOf, type Filter } from "./filter.ts";
import { FilterFields } from "./filter-fields.tsx";
import { ReverseAwardsDialog } from "./reverse-awards-dialog.tsx";

const REFRESH_MS = 5_000;
const SELECTABLE =
  "To reverse several awards, filter them by one player, one API key or one match, and by nothing else but the time.";

export function AwardsPage() {
  const { clanId, mayChange } = useClan();
  const [filter, setFilter] = useFilter();
  const hintId = useId();
  const [isReversing, setIsReversing] = useState(false);
  const [reversed, setReversed] = useState<ListedAward | null>(null);
  const asked = useDeferredValue(queryOf(filter));
  const list = usePages("list-awards", { params: { clanId }, query: asked.query }, { refetchMs: REFRESH_MS });
  const player = list.data?.pages[0]?.player ?? null;
  // The rows of the filter before are shown until those of this one are loaded.
  const selected = list.isSuccess && !list.isPlaceholderData ? selectionOf(asked, player) : null;
  const what = useSelectionText(clanId, asked.query, player);
  return (
    <Page
      title="Awards"
      actions={
        <div className="flex flex-wrap gap-2">
          <DownloadLink endpoint="export-awards" params={{ clanId }} query={asked.query}>
            Export CSV
          </DownloadLink>
          {mayChange ? (
            <Button
              kind="warning"
              disabled={!selected}
              aria-describedby={selected ? undefined : hintId}
              onClick={() => setIsReversing(true)}
            >
              Reverse these…
            </Button>
          ) : null}
        </div>
      }
    >
      <p className="mb-5 max-w-prose text-muted">
        XP that game servers and people gave or took, newest first.{" "}
        {mayChange && !selected ? <span id={hintId}>{SELECTABLE}</span> : null}
      </p>
      <FilterFields clanId={clanId} filter={filter} faults={asked.faults} onChange={setFilter} />
      <AwardTable
        clanId={clanId}
        list={list}
        isFiltered={Object.values(asked.query).some((one) => one !== undefined)}
        onReverse={setReversed}
        onMatch={(match) => setFilter({ ...filter, match })}
      />
      {isReversing && selected ? (
        <ReverseAwardsDialog clanId={clanId} selected={selected} what={what} onClose={() => setIsReversing(false)} />
      ) : null}
      {reversed ? (
        <ReverseDialog
          params={{ clanId, platformId: reversed.platformId }}
          who={reversed.name ?? reversed.platformId}
          entry={reversed}
          onClose={() => setReversed(null)}
        />
      ) : null}
    </Page>
  );
}

/** Of the navigation that keeps what the fields contain. */
const OWN = "filter";

/** The address keeps the filter, and a link to the page replaces it. */
function useFilter(): [Filter, (filter: Filter) => void] {
  const [address, setAddress] = useSearchParams();
  const state: unknown = useLocation().state;
  const [filter, setFilter] = useState(() => filterIn(address));
  // What a person types is in the fields before it is in the address.
  useEffect(() => {
    if (state !== OWN) setFilter(filterIn(address));
  }, [address, state]);
  return [
    filter,
    (changed) => {
      setFilter(changed);
      setAddress(addressOf(changed), { replace: true, state: OWN });
    },
  ];
}

/** Whose awards a reversal would select, such as "the match m-17". */
function useSelectionText(
  clanId: string,
  { key, match }: ReturnType<typeof queryOf>["query"],
  player: { platformId: string; name: string | null } | null,
): string {
  const { data } = useApi("list-award-givers", { params: { clanId } });
  if (match !== undefined) return `the match ${match}`;
  if (key !== undefined) return `the API key ${data?.keys.find(({ keyId }) => keyId === key)?.name ?? key}`;
  return player ? (player.name ?? player.platformId) : "";
}
