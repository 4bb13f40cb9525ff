// Lists, adds and removes the passkeys of the account.
import { useState } from "react";
import type { PasskeyFacts } from "#contract/dashboard/passkeys.ts";
import { passkeysAreSupported } from "../../api/passkeys.ts";
import { useApi } from "../../api/use-api.ts";
import { Button } from "../../parts/button.tsx";
import { DataTable, type Column } from "../../parts/data-table.tsx";
import { Loaded } from "../../parts/loaded.tsx";
import { Empty } from "../../parts/states.tsx";
import { Time } from "../../parts/time.tsx";
import { AddPasskeyDialog } from "./add-passkey-dialog.tsx";
import { RemovePasskeyDialog } from "./remove-passkey-dialog.tsx";

type Opened = { kind: "add" } | { kind: "remove"; passkey: PasskeyFacts } | null;

export function PasskeysSection({ hasPassword }: { hasPassword: boolean }) {
  const [opened, setOpened] = useState<Opened>(null);
  const list = useApi("list-passkeys", {});
  const close = () => setOpened(null);
  const isFull = list.data !== undefined && list.data.passkeys.length >= list.data.max;
  return (
    <section className="mt-6 max-w-3xl">
      <div className="mb-3 flex flex-wrap items-center justify-between gap-3">
        <h2 className="text-lg font-semibold">Passkeys</h2>
        <Button disabled={!passkeysAreSupported || isFull || !list.data} onClick={() => setOpened({ kind: "add" })}>
          Add passkey
        </Button>
      </div>
      <p className="mb-3 max-w-prose text-muted">
        A passkey signs you in with the fingerprint, face or PIN of a device, without a password.
        {passkeysAreSupported ? null : ` ${whyNot()}`}
        {isFull ? ` An account has at most ${list.data.max}: remove one to add another.` : null}
      </p>
      <Loaded query={list} what="your passkeys">
        {({ passkeys }) =>
          passkeys.length === 0 ? (
            <Empty title="No passkeys yet." />
          ) : (
            <DataTable
              label="Passkeys"
              columns={columns}
              rows={passkeys}
              keyOf={({ id }) => id}
              actionsOf={(passkey) => (
                <Button
                  kind="warning"
                  size="small"
                  aria-label={`Remove ${passkey.name}`}
                  onClick={() => setOpened({ kind: "remove", passkey })}
                >
                  Remove
                </Button>
              )}
            />
          )
        }
      </Loaded>
      {opened?.kind === "add" ? <AddPasskeyDialog hasPassword={hasPassword} onClose={close} /> : null}
      {opened?.kind === "remove" ? (
        <RemovePasskeyDialog passkey={opened.passkey} hasPassword={hasPassword} onClose={close} />
      ) : null}
    </section>
  );
}

function whyNot(): string {
  const { protocol, port } = window.location;
  const isLocal = window.location.hostname === "127.0.0.1";
  if (isLocal) return `To add one, open the dashboard as ${protocol}//localhost${port === "" ? "" : `:${port}`}.`;
  return "To add one, open the dashboard by its host name and HTTPS, in a browser that supports passkeys.";
}

const columns: Column<PasskeyFacts>[] = [
  { header: "Name", line: 1, cell: ({ name }) => <span className="wrap-anywhere">{name}</span> },
  { header: "Added", line: 2, cell: ({ createdAt }) => <Time at={createdAt} /> },
  { header: "Last used", line: 1, isLabeled: true, cell: ({ lastUsedAt }) => <Time at={lastUsedAt} /> },
];
