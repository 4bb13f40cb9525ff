// Hides a member on the clan's public page, which can be undone.
import { useMutation } from "@tanstack/react-query";
import type { MemberResponse } from "#contract/member.ts";
import { call } from "../../api/call.ts";
import { useInvalidate } from "../../api/use-api.ts";
import { errorText } from "../../parts/error-texts.ts";
import { memberText } from "../../parts/member-text.ts";
import { useToast } from "../../parts/toasts.tsx";
import { useUndo } from "../../parts/use-undo.ts";

export function useHide(clanId: string): (member: MemberResponse) => void {
  const invalidate = useInvalidate();
  const [toast, undo] = [useToast(), useUndo()];
  const set = async ({ platformId }: MemberResponse, hidden: boolean): Promise<void> => {
    await call("hide-player", { params: { clanId, platformId }, body: { hidden } });
    await invalidate("list-hidden-players", "read-public-page");
  };
  const hide = useMutation({
    mutationFn: (member: MemberResponse) => set(member, true),
    onSuccess: (_, member) =>
      toast({ title: `${textOf(member)} is hidden on the public page`, undo: undo(() => set(member, false)) }),
    onError: (error, member) => toast({ title: `${textOf(member)} was not hidden`, description: errorText(error) }),
  });
  return hide.mutate;
}

function textOf({ platformId, name = null }: MemberResponse): string {
  return memberText({ platformId, name });
}
