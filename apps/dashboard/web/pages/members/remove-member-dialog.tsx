// Ends memberships. XP and ledger stay.
import { useRef } from "react";
import { ApiError } from "../../api/api-error.ts";
import { call } from "../../api/call.ts";
import { useInvalidate } from "../../api/use-api.ts";
import { FormDialog } from "../../parts/form-dialog.tsx";
import type { NamedMember } from "../../parts/member-name.tsx";
import { useToast } from "../../parts/toasts.tsx";
import { Failures } from "./failures.tsx";
import { membersText } from "./members-text.ts";
import { useEachMember } from "./use-each-member.ts";

/** `onDone`: called for each member that was removed. */
type Props = {
  clanId: string;
  members: readonly NamedMember[];
  onDone?: (platformId: string) => void;
  onClose(): void;
};

export function RemoveMemberDialog({ clanId, members, onDone, onClose }: Props) {
  const invalidate = useInvalidate();
  const toast = useToast();
  const removeOnce = useRemoveOnce(clanId);
  const isOne = members.length === 1;
  const remove = useEachMember({
    members,
    change: removeOnce,
    onAll() {
      toast({ title: `${membersText(members)} ${isOne ? "is no longer a member" : "are removed"}` });
      onClose();
    },
    onDone,
    onSettled: () => invalidate("read-member", "read-member-ledger", "list-members"),
  });
  return (
    <FormDialog
      title={`Remove ${membersText(remove.left)}`}
      description="The membership and an appointment end. XP and ledger stay. An Auto Clan does not take a removed member back automatically. To take them back later, use Add member."
      error={remove.error}
      submit={isOne ? "Remove member" : "Remove members"}
      isDanger
      isBusy={remove.isPending}
      onSubmit={remove.mutate}
      onClose={onClose}
    >
      <Failures failures={remove.failures} left={remove.left.length} />
    </FormDialog>
  );
}

/** Succeeds also if an earlier attempt, whose response was lost, has removed the member. */
function useRemoveOnce(clanId: string) {
  const unclear = useRef(new Set<string>());
  return async ({ platformId }: NamedMember): Promise<void> => {
    try {
      await call("remove-member", { params: { clanId, platformId } });
    } catch (error) {
      const isNoMember = error instanceof ApiError && error.code === "conflict";
      if (isNoMember && unclear.current.has(platformId)) return;
      if (!isNoMember) unclear.current.add(platformId);
      throw error;
    }
  };
}
