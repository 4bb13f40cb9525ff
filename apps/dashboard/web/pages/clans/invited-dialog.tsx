// The link of an invitation or a reset, which is shown once.
import type { InvitedAccount } from "#contract/dashboard/accounts.ts";
import { Button } from "../../parts/button.tsx";
import { Dialog, DialogButtons } from "../../parts/dialog.tsx";
import { SecretField } from "../../parts/secret-field.tsx";
import { Time } from "../../parts/time.tsx";

type Props = { invited: InvitedAccount; onClose(): void };

export function InvitedDialog({ invited: { name, token, expiresAt }, onClose }: Props) {
  // After the `#`: browsers do not send that part, so no server or proxy logs it.
  const link = `${window.location.origin}/link#${token}`;
  const expiry = (
    <>
      It expires <Time at={expiresAt} mayBeAhead />.
    </>
  );
  return (
    <Dialog
      open
      sticky="The link cannot be shown again."
      onClose={onClose}
      title={`Link for ${name}`}
      description="Send this link to the person. It works once and opens a page to choose a password or a passkey. It cannot be shown again."
    >
      <SecretField label="Link" secret={link} hint={expiry} />
      <DialogButtons>
        <Button kind="primary" onClick={onClose}>
          Done
        </Button>
      </DialogButtons>
    </Dialog>
  );
}
