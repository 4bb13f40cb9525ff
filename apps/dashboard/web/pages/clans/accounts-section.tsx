// The accounts of the dashboard, for operators: invites people, creates new links, and removes accounts.
import { useDeferredValue, useState } from "react";
import { NAME_CHARS_MAX } from "#domain/bounds.ts";
import type { AccountFacts } from "#contract/dashboard/accounts.ts";
import { useMe } from "../../api/use-me.ts";
import { usePages } from "../../api/use-pages.ts";
import { Button } from "../../parts/button.tsx";
import type { Column } from "../../parts/data-table.tsx";
import { PagedTable } from "../../parts/paged-table.tsx";
import { RowMenu } from "../../parts/row-menu.tsx";
import { SearchField } from "../../parts/search-field.tsx";
import { Empty } from "../../parts/states.tsx";
import { Time } from "../../parts/time.tsx";
import { InviteDialog } from "./invite-dialog.tsx";
import { RemoveAccountDialog } from "./remove-account-dialog.tsx";
import { ResetAccountDialog } from "./reset-account-dialog.tsx";

const REFRESH_MS = 5_000;

type Open = { dialog: "invite" } | { dialog: "reset" | "remove"; name: string };

export function Accounts() {
  const { data: me } = useMe();
  const [typed, setTyped] = useState("");
  const [open, setOpen] = useState<Open | null>(null);
  const search = useDeferredValue(typed.trim());
  const list = usePages("list-accounts", { query: search === "" ? {} : { search } }, { refetchMs: REFRESH_MS });
  const close = (): void => setOpen(null);
  return (
    <section className="mt-8">
      <div className="mb-3 flex flex-wrap items-center justify-between gap-3">
        <h2 className="text-lg font-semibold">Accounts</h2>
        <Button onClick={() => setOpen({ dialog: "invite" })}>Invite person</Button>
      </div>
      <SearchField
        label="Search accounts"
        placeholder="Search by name or clan ID"
        value={typed}
        onChange={setTyped}
        maxLength={NAME_CHARS_MAX}
      />
      <PagedTable
        list={list}
        what="the accounts"
        label="Accounts"
        columns={columns}
        rows={list.data?.pages.flatMap((page) => page.accounts) ?? []}
        keyOf={({ name }) => name}
        actionsOf={({ name }) => (name === me?.name ? <You /> : <Actions name={name} onOpen={setOpen} />)}
        empty={<Empty title="No accounts found.">No name or clan ID contains “{search}”.</Empty>}
        more="Show more accounts"
      />
      {me && open?.dialog === "invite" ? <InviteDialog me={me} onClose={close} /> : null}
      {open?.dialog === "reset" ? <ResetAccountDialog name={open.name} onClose={close} /> : null}
      {open?.dialog === "remove" ? <RemoveAccountDialog name={open.name} onClose={close} /> : null}
    </section>
  );
}

const columns: Column<AccountFacts>[] = [
  { header: "Name", line: 1, cell: ({ name }) => <span className="font-medium wrap-anywhere">{name}</span> },
  { header: "May", line: 2, cell: (account) => rolesOf(account) },
  { header: "State", line: 1, cell: ({ link }) => stateTexts[link] },
  { header: "Last sign-in", line: null, cell: ({ lastSignInAt }) => <Time at={lastSignInAt} /> },
];

function You() {
  return <span className="block text-right text-sm text-muted">you</span>;
}

function Actions({ name, onOpen }: { name: string; onOpen(open: Open): void }) {
  return (
    <RowMenu
      label={`Actions of ${name}`}
      actions={[
        { label: "New link", onChoose: () => onOpen({ dialog: "reset", name }) },
        { label: "Remove", onChoose: () => onOpen({ dialog: "remove", name }) },
      ]}
    />
  );
}

function rolesOf({ operator, clans }: AccountFacts): string {
  return operator
    ? "operator of all clans"
    : clans.map(({ clanId, role }) => `${role} of ${clanId}`).join(", ") || "nothing";
}

const stateTexts: Record<AccountFacts["link"], string> = { none: "Active", open: "Invited", expired: "Link expired" };
