// The clan in the address, and the role of the signed-in person in it. The server decides on access; this only
// determines what is shown.
import { useParams } from "react-router";
import { useMe } from "../api/use-me.ts";

export type CurrentClan = { clanId: string; name: string; mayChange: boolean };

export function useClan(): CurrentClan {
  const { clanId = "" } = useParams();
  const { data: me } = useMe();
  const clan = me?.clans.find((one) => one.clanId === clanId);
  return { clanId, name: clan?.name ?? clanId, mayChange: me?.operator === true || clan?.role === "owner" };
}
