// People who withdraw or reduce their own role leave the page, which they may not read any more.
import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "react-router";
import { meKey, useMe } from "../../api/use-me.ts";

/** Called after the role of this person has changed. */
export function useOwnAccess(): (name: string) => Promise<void> {
  const client = useQueryClient();
  const navigate = useNavigate();
  const { data: me } = useMe();
  return async (name) => {
    if (name !== me?.name) return;
    await client.invalidateQueries({ queryKey: meKey });
    await navigate("/");
  };
}
