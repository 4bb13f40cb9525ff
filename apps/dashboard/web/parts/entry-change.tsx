// What an entry of the ledger changed. Also shows the boost, and what the award would have been without the clan's
// floor, cap or limit per day.
import type { EntryResponse } from "#contract/entry.ts";
import { factorOf } from "#domain/boost.ts";
import { Aside } from "./aside.tsx";
import { Name } from "./name.tsx";
import { XpChange } from "./xp.tsx";

export function EntryChange({ entry: { amount, applied, boost, limitedBy, kind } }: { entry: EntryResponse }) {
  if (kind === "membership" || kind === "appointment") return <span className="text-muted">{kind}</span>;
  const asked = boost?.amount ?? amount;
  return (
    <>
      <XpChange value={applied} />
      {asked === applied ? null : (
        <span className="text-sm text-muted" title={limitedBy === null ? undefined : limitTexts[limitedBy]}>
          {" "}
          of <XpChange value={asked} />
        </span>
      )}
      {boost === undefined ? null : (
        <Aside>
          <XpChange value={amount} /> ×{factorOf(boost.percent)} <Name>{boost.name}</Name>
        </Aside>
      )}
    </>
  );
}

const limitTexts = {
  floor: "The clan's minimum XP allowed no more.",
  cap: "The clan's maximum XP allowed no more.",
  day: "The clan's XP per day allowed no more.",
} as const;
