// Selects one of the account's clans. Most people have few clans, which are shown as a plain list.
import { Suspense } from "react";
import type { Me } from "#contract/dashboard/account.ts";
import { lazyPart } from "../lazy-part.ts";

const ClanSearch = lazyPart(() => import("./clan-search.tsx").then((m) => m.ClanSearch));

type Props = {
  /** For the label. */
  id: string;
  me: Pick<Me, "clans" | "hasMoreClans">;
  clanId: string | undefined;
  onChoose(clanId: string): void;
};

export function ClanSelect({ id, me, clanId, onChoose }: Props) {
  if (me.hasMoreClans) {
    return (
      <Suspense fallback={<div className="field" aria-busy="true" />}>
        <ClanSearch id={id} known={me.clans} clanId={clanId} onChoose={onChoose} />
      </Suspense>
    );
  }
  const isShared = (name: string): boolean => me.clans.filter((clan) => clan.name === name).length > 1;
  const isListed = clanId === undefined || me.clans.some((clan) => clan.clanId === clanId);
  return (
    <select id={id} className="field" value={clanId} onChange={(event) => onChoose(event.target.value)}>
      {me.clans.map((clan) => (
        <option key={clan.clanId} value={clan.clanId}>
          {isShared(clan.name) ? `${clan.name} (${clan.clanId})` : clan.name}
        </option>
      ))}
      {isListed ? null : <option value={clanId}>{clanId}</option>}
    </select>
  );
}
