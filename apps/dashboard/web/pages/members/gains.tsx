// Who gained how much in a span that the person chooses, also who has left since.
import type { GainPage, GainSpan } from "#contract/dashboard/gains.ts";
import { ApiError } from "../../api/api-error.ts";
import { usePages } from "../../api/use-pages.ts";
import type { Column } from "../../parts/data-table.tsx";
import { MemberLink } from "../../parts/member-name.tsx";
import { numberText } from "../../parts/numbers.ts";
import { PagedTable } from "../../parts/paged-table.tsx";
import { Empty } from "../../parts/states.tsx";
import { Time } from "../../parts/time.tsx";
import { Pill } from "../../parts/toned.tsx";
import { Xp } from "../../parts/xp.tsx";
import { SpanForm } from "./span-form.tsx";

/** A count is at most a minute old, or 20 times as old as counting takes. */
const REFRESH_MS = 15_000;
const COUNTING_MS = 1_000;
const LEFT = { text: "Left", tone: "plain", title: "No member of the clan now." } as const;

type Row = GainPage["members"][number];
/** `span` null: none is chosen yet. `search`: only members that it finds. */
type Props = { clanId: string; span: GainSpan | null; search: string; onShow(span: GainSpan): void };

export function Gains({ span, ...props }: Props) {
  if (!span) return <SpanForm span={null} onShow={props.onShow} />;
  // The rows of the span before must not be shown for this one.
  return <GainsOf key={`${span.from}/${span.to}`} span={span} {...props} />;
}

function GainsOf({ clanId, span, search, onShow }: Props & { span: GainSpan }) {
  const query = search === "" ? span : { ...span, search };
  const list = usePages(
    "list-gains",
    { params: { clanId }, query },
    { refetchMs: (first) => (first?.counted ? REFRESH_MS : COUNTING_MS), until: "invalid_request" },
  );
  const pages = list.data?.pages ?? [];
  const counted = pages[0]?.counted ?? null;
  // Of this span: it has too many entries.
  const fault =
    list.error instanceof ApiError && list.error.code === "invalid_request" ? list.error.message : undefined;
  return (
    <>
      <SpanForm span={span} fault={fault} onShow={onShow} />
      {counted ? <Totals counted={counted} /> : null}
      {fault === undefined ? (
        <PagedTable
          list={list}
          what="who gained XP"
          label="Gains"
          columns={columnsFor(clanId)}
          rows={pages.flatMap((page) => page.members)}
          keyOf={({ platformId }) => platformId}
          isMuted={({ membership }) => membership === null}
          empty={counted ? <Nobody search={search} /> : <Counting />}
          more="Show more"
        />
      ) : null}
    </>
  );
}

function Totals({ counted: { asOf, totals } }: { counted: NonNullable<GainPage["counted"]> }) {
  const { members, awards, xp } = totals;
  const who = `${numberText(members)} ${members === 1 ? "player" : "players"}`;
  return (
    <p role="status" className="mb-3 text-muted">
      {who} gained {numberText(xp)} XP with {numberText(awards)} {awards === 1 ? "award" : "awards"}, counted{" "}
      <Time at={asOf} />.
    </p>
  );
}

function Counting() {
  return (
    <p role="status" className="text-muted">
      Counting the awards of this span …
    </p>
  );
}

function Nobody({ search }: { search: string }) {
  if (search === "") return <Empty title="Nobody has an award in this span." />;
  return (
    <Empty title="No members found.">
      Nobody whose player ID begins with {search}, or whose name has these words, has an award in this span.
    </Empty>
  );
}

function columnsFor(clanId: string): Column<Row>[] {
  return [
    { header: "Position", line: 2, isLabeled: true, isNumber: true, cell: ({ position }) => numberText(position) },
    {
      header: "Player",
      line: 1,
      grows: true,
      cell: ({ platformId, name, membership }) => (
        <span className="inline-flex max-w-full items-center gap-2 [&>a]:min-w-0!">
          <MemberLink clanId={clanId} platformId={platformId} name={name} />
          {membership === null ? <Pill look={LEFT} /> : null}
        </span>
      ),
    },
    { header: "XP gained", line: 1, isNumber: true, cell: ({ xp }) => <Xp value={xp} /> },
    { header: "Awards", line: 2, isNumber: true, isLabeled: true, cell: ({ awards }) => numberText(awards) },
    { header: "Last award", line: 2, cell: ({ lastAwardAt }) => <Time at={lastAwardAt} /> },
  ];
}
