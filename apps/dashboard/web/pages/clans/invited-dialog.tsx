// The link of an invitation or a reset, shown this once.
import type { InvitedAccount } from "#contract/dashboard/accounts.ts";
import { Button } from "../../parts/button.tsx";
import { CopyButton } from "../../parts/copy-button.tsx";
import { Dialog, DialogButtons } from "../../parts/dialog.tsx";
import { Field } from "../../parts/field.tsx";
import { Time } from "../../parts/time.tsx";

export function InvitedDialog({
  invited: { name, token, expiresAt },
  onClose,
}: {
  invited: InvitedAccount;
  onClose(): void;
}) {
  // Behind the `#`: browsers keep that part to themselves, so no server or proxy logs it.
  const link = `${window.location.origin}/link#${token}`;
  return (
    <Dialog
      open
      sticky
      onClose={onClose}
      title={`Link for ${name}`}
      description="Send this link to the person. It works once, opens a page to choose a password, and cannot be shown again."
    >
      <Field
        label="Link"
        hint={
          <>
            It expires <Time at={expiresAt} />.
          </>
        }
      >
        {(wiring) => (
          <div className="flex gap-2">
            <input
              {...wiring}
              readOnly
              value={link}
              spellCheck={false}
              autoComplete="off"
              onFocus={(event) => event.target.select()}
              className="field font-mono text-sm"
            />
            <CopyButton text={link} />
          </div>
        )}
      </Field>
      <DialogButtons>
        <Button kind="primary" onClick={onClose}>
          Done
        </Button>
      </DialogButtons>
    </Dialog>
  );
}
