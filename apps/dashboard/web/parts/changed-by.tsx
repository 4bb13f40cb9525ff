// Who made an entry of the ledger: the person, or the API key.
import type { MemberEntry } from "#contract/dashboard/members.ts";
import { KeyLink } from "./key-link.tsx";
import { Name } from "./name.tsx";

type Props = { clanId: string; entry: Pick<MemberEntry, "actor" | "keyId" | "keyName"> };

export function ChangedBy({ clanId, entry: { actor, keyId, keyName } }: Props) {
  if (actor !== undefined) return <Name>{actor}</Name>;
  if (keyName === undefined) return keyId === "cli" ? "command line" : keyId;
  if (keyName === null) {
    return (
      <span title={keyId} className="text-muted">
        Deleted key
      </span>
    );
  }
  return (
    <KeyLink clanId={clanId} keyId={keyId}>
      <Name>{keyName}</Name>
    </KeyLink>
  );
}
