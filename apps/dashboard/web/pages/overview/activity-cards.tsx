// The numbers of a range, each with its change against the range before, if something was in it. What people gave and
// what was imported is apart from what API keys gave.
import type { Overview } from "#contract/dashboard/overview.ts";
import { numberText } from "../../parts/numbers.ts";
import { rangeTexts } from "../../parts/range-texts.ts";

export function ActivityCards({ overview }: { overview: Overview }) {
  const { members, xp, shown, range: now, before } = overview;
  const span = rangeTexts[shown];
  return (
    <dl className="grid grid-cols-2 gap-3 lg:grid-cols-4">
      <Card label="Members" value={numberText(members)} notes={[joinedText(now.joined, span)]} />
      <Card
        label={`Awards, last ${span}`}
        value={now.awards === null ? "…" : numberText(now.awards)}
        notes={changeNotes(now.awards, before.awards, span)}
      />
      <Card
        label={`XP, last ${span}`}
        value={now.xp === null ? "…" : numberText(now.xp)}
        notes={[
          ...changeNotes(now.xp, before.xp, span),
          ...apartNotes("By hand", now.byHand),
          ...apartNotes("Imported", now.imported),
        ]}
      />
      <Card label="XP in total" value={numberText(xp)} notes={["of all members"]} />
    </dl>
  );
}

function Card({ label, value, notes }: { label: string; value: string; notes: readonly string[] }) {
  return (
    <div className="rounded-xl border border-line bg-panel p-4">
      <dt className="text-sm text-muted">{label}</dt>
      <dd className="mt-1 text-2xl font-semibold tracking-tight break-all tabular-nums">{value}</dd>
      {notes.map((note) => (
        <dd key={note} className="text-sm text-muted">
          {note}
        </dd>
      ))}
    </div>
  );
}

function joinedText(joined: number | null, span: string): string {
  return joined === null ? `in the last ${span}: counting …` : `${signed(BigInt(joined))} in the last ${span}`;
}

/** In percent of a number above 0: of one below there is no share, and of 0 no comparison. */
function changeNotes(now: number | string | null, before: number | string | null, span: string): string[] {
  if (now === null || before === null) return ["counting …"];
  const [change, base] = [BigInt(now) - BigInt(before), BigInt(before)];
  if (base === 0n) return [];
  return [`${base > 0n ? `${signed((change * 100n) / base)} %` : signed(change)} vs. previous ${span}`];
}

function apartNotes(label: string, xp: string | null): string[] {
  return xp === null || xp === "0" ? [] : [`${label}: ${signed(BigInt(xp))}`];
}

function signed(value: bigint): string {
  return `${value > 0n ? "+" : value === 0n ? "±" : ""}${numberText(value)}`;
}
