// A new key's secret, which is shown once, with examples and a note that changes when the first request with the key
// arrives.
import { useState } from "react";
import type { IssuedKey } from "#contract/dashboard/keys.ts";
import { useApi } from "../../api/use-api.ts";
import { Note } from "../../parts/toned.tsx";
import { SecretField } from "../../parts/secret-field.tsx";
import { ShownOnceDialog } from "../../parts/shown-once-dialog.tsx";
import { Snippets } from "./snippets.tsx";

const POLL_MS = 1_000;

type Props = { clanId: string; issued: IssuedKey; title: string; onClose(): void };

export function IssuedKeyDialog({ clanId, issued: { key, secret }, title, onClose }: Props) {
  const [isUsed, setIsUsed] = useState(false);
  const list = useApi("list-keys", { params: { clanId } }, { refetchMs: isUsed ? false : POLL_MS });
  const now = list.data?.keys.find((one) => one.keyId === key.keyId);
  if (!isUsed && now && now.lastUsedAt !== null) setIsUsed(true);
  return (
    <ShownOnceDialog
      sticky="The API key cannot be shown again."
      onClose={onClose}
      title={title}
      description="Copy the key now. It is stored only as a hash and cannot be shown again."
    >
      <SecretField label="API key" secret={secret} />
      <Snippets clanId={clanId} secret={secret} apiUrl={list.data?.apiUrl ?? null} />
      <Note role="status" tone={isUsed ? "good" : "plain"} className="flex items-center gap-2.5">
        <span
          aria-hidden="true"
          className={`size-2.5 rounded-full ${isUsed ? "bg-good-ink" : "animate-pulse bg-muted"}`}
        />
        {isUsed ? "First request received" : "Waiting for the first request"}
      </Note>
    </ShownOnceDialog>
  );
}
