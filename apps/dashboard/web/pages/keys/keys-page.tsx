// Lists, creates, rotates and revokes the clan's API keys.
import { useState, type ReactNode } from "react";
import { useLocation } from "react-router";
import type { KeyFacts, KeyList, KeyStatus as Status, ListedKey } from "#contract/dashboard/keys.ts";
import { scopes as allScopes, type Scope } from "#domain/scope.ts";
import { useApi } from "../../api/use-api.ts";
import { DataTable, type Column } from "../../parts/data-table.tsx";
import { ListPage } from "../../parts/list-page.tsx";
import { Name } from "../../parts/name.tsx";
import { numberText } from "../../parts/numbers.ts";
import { RowMenu } from "../../parts/row-menu.tsx";
import { Time } from "../../parts/time.tsx";
import { useClan } from "../../parts/use-clan.ts";
import { Pill, type Look } from "../../parts/toned.tsx";
import { CreateKeyDialog } from "./create-key-dialog.tsx";
import { LimitsDialog } from "./limits-dialog.tsx";
import { RevokeKeyDialog } from "./revoke-key-dialog.tsx";
import { RotateKeyDialog } from "./rotate-key-dialog.tsx";

/** How soon changes by other people and by the command line are shown. */
const REFRESH_MS = 5_000;

type Open = { dialog: "create" } | { dialog: "limits" | "rotate" | "revoke"; key: ListedKey };

export function KeysPage() {
  const { clanId, mayChange } = useClan();
  // A member's ledger leads to the key of an entry.
  const named = useLocation().hash.slice(1);
  const list = useApi("list-keys", { params: { clanId } }, { refetchMs: REFRESH_MS });
  const [open, setOpen] = useState<Open | null>(null);
  const close = (): void => setOpen(null);
  return (
    <ListPage
      title="API keys"
      about="Game servers send an API key with every request. A clan has at most five live keys; what you change here takes effect within a second."
      noun="key"
      verb="Create"
      list={list}
      isEmpty={({ keys }) => keys.length === 0}
      invitation="Your game server awards XP with a key."
      fullText={fullText}
      onAdd={() => setOpen({ dialog: "create" })}
      dialogs={
        <>
          {open?.dialog === "create" ? <CreateKeyDialog clanId={clanId} onClose={close} /> : null}
          {open?.dialog === "limits" ? <LimitsDialog clanId={clanId} limited={open.key} onClose={close} /> : null}
          {open?.dialog === "rotate" ? <RotateKeyDialog clanId={clanId} rotated={open.key} onClose={close} /> : null}
          {open?.dialog === "revoke" ? <RevokeKeyDialog clanId={clanId} revoked={open.key} onClose={close} /> : null}
        </>
      }
    >
      {({ keys }) => (
        <DataTable
          label="Keys"
          columns={columns}
          actionsOf={mayChange && ((key) => <Actions shown={key} onOpen={setOpen} />)}
          rows={keys.toSorted((a, b) => Number(isEnded(a)) - Number(isEnded(b)))}
          keyOf={(key) => key.keyId}
          currentKey={named}
        />
      )}
    </ListPage>
  );
}

function fullText({ live, liveMax }: KeyList): string | null {
  if (live < liveMax) return null;
  return `${live} of ${liveMax} keys are live. Revoke one to create another, or rotate one.`;
}

/** A row is one line on a screen of 1280 px, whatever the name and the limits are. */
const columns: Column<ListedKey>[] = [
  {
    header: "Name",
    line: 1,
    compare: (a, b) => a.name.localeCompare(b.name),
    cell: (key) => (
      <b className="font-medium xl:block xl:max-w-56 xl:truncate xl:[&>span]:inline" title={key.name}>
        <Name>{key.name}</Name>
      </b>
    ),
  },
  {
    header: "Key",
    line: 2,
    cell: (key) => (
      <code className="font-mono text-sm whitespace-nowrap" title={`cxp_${key.keyId}_…${key.hint}`}>
        …{key.hint}
      </code>
    ),
  },
  { header: "Scopes", line: null, cell: (key) => <Short>{scopesText(key)}</Short> },
  { header: "Limits", line: null, cell: (key) => <Short>{limitsText(key)}</Short> },
  {
    header: "Created",
    line: null,
    compare: (a, b) => compareTexts(a.createdAt, b.createdAt),
    cell: (key) => (
      <Short>
        <Time at={key.createdAt} />
      </Short>
    ),
  },
  {
    header: "Last used",
    line: 1,
    compare: (a, b) => compareTexts(a.lastUsedAt, b.lastUsedAt),
    cell: (key) => (
      <Short>
        <Time at={key.lastUsedAt} />
      </Short>
    ),
  },
  {
    header: "Expires",
    line: null,
    cell: (key) => (
      <Short>
        <Time at={key.expiresAt} mayBeAhead />
      </Short>
    ),
  },
  { header: "Status", line: 1, cell: (key) => <KeyStatus shown={key} /> },
];

function Short({ children }: { children: ReactNode }) {
  return <span className="xl:text-sm xl:whitespace-nowrap">{children}</span>;
}

const scopeTexts: Record<Scope, string> = { award: "give", deduct: "take", reverse: "reverse", read: "read" };

/** `Give, take, read`, in the order of the form. */
function scopesText({ scopes }: ListedKey): string {
  const text = allScopes
    .filter((scope) => scopes.includes(scope))
    .map((scope) => scopeTexts[scope])
    .join(", ");
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** `500/s, 4 each, 1,000/day`: requests, the largest amount, and XP. */
function limitsText({ limits: { requestsPerSecond, amountMax, xpPerDay } }: ListedKey): string {
  const texts = [
    requestsPerSecond === null ? [] : `${numberText(requestsPerSecond)}/s`,
    amountMax === null ? [] : `${numberText(amountMax)} each`,
    xpPerDay === null ? [] : `${numberText(xpPerDay)}/day`,
  ].flat();
  return texts.length === 0 ? "none" : texts.join(", ");
}

function isEnded({ status }: ListedKey): boolean {
  return status === "revoked" || status === "expired";
}

/** Timestamps as texts; null, for never, before all. */
function compareTexts(a: string | null, b: string | null): number {
  return (a ?? "").localeCompare(b ?? "");
}

function Actions({ shown, onOpen }: { shown: ListedKey; onOpen(open: Open): void }) {
  const opens = (label: string, dialog: "limits" | "rotate" | "revoke") => ({
    label,
    onChoose: () => onOpen({ dialog, key: shown }),
  });
  const isUsable = shown.status === "live" || shown.status === "replaced";
  const actions = [
    isUsable ? opens("Limits", "limits") : [],
    shown.status === "live" ? opens("Rotate", "rotate") : [],
    isUsable ? opens("Revoke", "revoke") : opens("Reverse awards", "revoke"),
  ].flat();
  return <RowMenu label={`Actions of ${shown.name}`} actions={actions} />;
}

const looks: Record<Status, Look> = {
  live: { text: "Live", tone: "good", title: "Requests with this key are accepted." },
  replaced: { text: "Rotated", tone: "warn", title: "A new key replaced this one, which works until it expires." },
  expired: { text: "Expired", tone: "plain", title: "Requests with this key are rejected." },
  revoked: { text: "Revoked", tone: "danger", title: "Requests with this key are rejected." },
};

function KeyStatus({ shown }: { shown: KeyFacts }) {
  return <Pill look={looks[shown.status]} />;
}
