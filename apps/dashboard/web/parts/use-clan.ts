// The clan in the address, and the role of the signed-in person in it. The server decides on access; this only
// determines what is shown.
import { useParams } from "react-router";
import { mayAct } from "#domain/account.ts";
import { useMe } from "../api/use-me.ts";

/**
 * `mayChange`: everything. `mayGive`: gives and takes XP; `moderator`: the name of the person if they do so within the
 * bounds of moderators, and reverse only what they gave; null for others.
 */
export type CurrentClan = {
  clanId: string;
  name: string;
  mayChange: boolean;
  mayGive: boolean;
  mayReadKeys: boolean;
  moderator: string | null;
};

export function useClan(): CurrentClan {
  const { clanId = "" } = useParams();
  const { data: me } = useMe();
  const clan = me?.clans.find((one) => one.clanId === clanId);
  const account = { operator: me?.operator ?? false, grants: me?.clans ?? [] };
  const mayGive = mayAct(account, "moderator", clanId);
  const mayChange = mayAct(account, "owner", clanId);
  const moderator = mayGive && !mayChange ? (me?.name ?? "") : null;
  const mayReadKeys = mayAct(account, "key-viewer", clanId);
  return { clanId, name: clan?.name ?? clanId, mayChange, mayGive, mayReadKeys, moderator };
}
