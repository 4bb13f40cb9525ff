// Changes the public page, and shows the result on every page that has it.
import { useMutation, type UseMutationResult } from "@tanstack/react-query";
import { call, type ResponseOf, type Sent } from "../../api/call.ts";
import { useInvalidate } from "../../api/use-api.ts";

type Change = NonNullable<Sent<"change-public-page">["body"]>;

export type ChangePage = UseMutationResult<ResponseOf<"change-public-page">, Error, Change>;

export function useChangePage(clanId: string): ChangePage {
  const invalidate = useInvalidate();
  return useMutation({
    // One after the other, as a person switches them.
    scope: { id: `public page of ${clanId}` },
    mutationFn: (body: Change) => call("change-public-page", { params: { clanId }, body }),
    onSettled: () => invalidate("read-public-page"),
  });
}
