// Withdraws a person's role in the clan, after their name has been typed.
import type { PersonFacts } from "#contract/dashboard/people.ts";
import { ConfirmDialog } from "../../parts/confirm-dialog.tsx";
import { useOwnAccess } from "./use-own-access.ts";

type Props = { clanId: string; person: PersonFacts; onClose(): void };

const descriptions: Record<PersonFacts["status"], string> = {
  active: "They lose access to this clan immediately. Their account stays, and so does what they changed.",
  invited: "The invitation ends: its link gives no access to this clan any more.",
};

export function RemovePersonDialog({ clanId, person: { name, status }, onClose }: Props) {
  const leave = useOwnAccess();
  return (
    <ConfirmDialog
      title={`Remove ${name}`}
      description={descriptions[status]}
      submit="Remove"
      isDanger
      confirms={name}
      endpoint="remove-person"
      sent={{ params: { clanId, name } }}
      note={() => ({ title: `${name} removed`, description: "They may not open this clan any more." })}
      refreshes={["list-people"]}
      onDone={async () => {
        onClose();
        await leave(name);
      }}
      onClose={onClose}
    />
  );
}
