// The link of an invitation or a reset, which is shown once.
import type { InvitedAccount } from "#contract/dashboard/accounts.ts";
import { SecretField } from "./secret-field.tsx";
import { ShownOnceDialog } from "./shown-once-dialog.tsx";
import { Time } from "./time.tsx";

type Props = { invited: InvitedAccount; label?: string; description?: string; onClose(): void };

const OPENS_ACCOUNT = "Send this link to the person. It works once and opens a page to choose a password or a passkey.";

export function LinkDialog({
  invited: { name, token, expiresAt },
  label = "Link",
  description = OPENS_ACCOUNT,
  onClose,
}: Props) {
  // After the `#`: browsers do not send that part, so no server or proxy logs it.
  const link = `${window.location.origin}/link#${token}`;
  const expiry = (
    <>
      It expires <Time at={expiresAt} mayBeAhead />.
    </>
  );
  return (
    <ShownOnceDialog
      sticky="The link cannot be shown again."
      onClose={onClose}
      title={`Link for ${name}`}
      description={`${description} It cannot be shown again.`}
    >
      <SecretField label={label} secret={link} hint={expiry} />
    </ShownOnceDialog>
  );
}
