// The people of the clan, for its owners: who has which role, and invitations.
import { useState } from "react";
import type { PersonFacts } from "#contract/dashboard/people.ts";
import { useApi } from "../../api/use-api.ts";
import { useMe } from "../../api/use-me.ts";
import { Button } from "../../parts/button.tsx";
import { DataTable, type Column } from "../../parts/data-table.tsx";
import { Loaded } from "../../parts/loaded.tsx";
import { Name } from "../../parts/name.tsx";
import { Page } from "../../parts/page.tsx";
import { RowMenu } from "../../parts/row-menu.tsx";
import { roleTexts } from "../../parts/role-texts.ts";
import { Empty } from "../../parts/states.tsx";
import { Time } from "../../parts/time.tsx";
import { Pill, type Look } from "../../parts/toned.tsx";
import { useAskedDialog } from "../../parts/use-asked-dialog.ts";
import { useClan } from "../../parts/use-clan.ts";
import { ChangeRoleDialog } from "./change-role-dialog.tsx";
import { InvitePersonDialog } from "./invite-person-dialog.tsx";
import { ModeratorBoundsPanel } from "./moderator-bounds-panel.tsx";
import { RemovePersonDialog } from "./remove-person-dialog.tsx";

/** How soon a person who has used their link is shown as active. */
const REFRESH_MS = 5_000;

type Open = { dialog: "invite" } | { dialog: "role" | "remove"; person: PersonFacts };

export function PeoplePage() {
  const { clanId, mayChange } = useClan();
  const { data: me } = useMe();
  const list = useApi("list-people", { params: { clanId } }, { refetchMs: REFRESH_MS });
  const [open, setOpen] = useState<Open | null>(null);
  const close = (): void => setOpen(null);
  useAskedDialog<"people">(["invite"], () => setOpen({ dialog: "invite" }));
  return (
    <Page
      title="People"
      actions={
        mayChange ? (
          <Button kind="primary" onClick={() => setOpen({ dialog: "invite" })}>
            Invite person
          </Button>
        ) : null
      }
    >
      <p className="mb-5 max-w-prose text-muted">
        Who may sign in to this clan: owners may do everything in it, moderators give and take XP, viewers may read it.
        What you change here takes effect immediately.
      </p>
      <Loaded query={list} what="the people">
        {({ people }) =>
          people.length === 0 ? (
            <Empty title="Nobody has a role in this clan.">Invite its first owner.</Empty>
          ) : (
            <People people={people} own={me?.name} onOpen={setOpen} />
          )
        }
      </Loaded>
      {mayChange ? <ModeratorBoundsPanel clanId={clanId} /> : null}
      {open?.dialog === "invite" ? <InvitePersonDialog clanId={clanId} onClose={close} /> : null}
      {open?.dialog === "role" ? <ChangeRoleDialog clanId={clanId} person={open.person} onClose={close} /> : null}
      {open?.dialog === "remove" ? <RemovePersonDialog clanId={clanId} person={open.person} onClose={close} /> : null}
    </Page>
  );
}

type PeopleProps = { people: readonly PersonFacts[]; own: string | undefined; onOpen(open: Open): void };

function People({ people, own, onOpen }: PeopleProps) {
  const lastOwner = lastOwnerOf(people);
  return (
    <DataTable
      label="People"
      columns={columnsFor({ own, lastOwner })}
      rows={people}
      keyOf={({ name }) => name}
      // The last owner can neither be removed nor get another role.
      actionsOf={(person) => (person.name === lastOwner ? null : <Actions person={person} onOpen={onOpen} />)}
    />
  );
}

/** Undefined: there are several, or none. */
function lastOwnerOf(people: readonly PersonFacts[]): string | undefined {
  const owners = people.filter(({ role, status }) => role === "owner" && status === "active");
  return owners.length === 1 ? owners[0]?.name : undefined;
}

function columnsFor(known: { own: string | undefined; lastOwner: string | undefined }): Column<PersonFacts>[] {
  return [
    {
      header: "Name",
      line: 1,
      cell: (person) => (
        <>
          <b className="font-medium">
            <Name>{person.name}</Name>
          </b>
          {person.name === known.own ? <span className="text-muted"> (you)</span> : null}
          {person.name === known.lastOwner ? <span className="text-sm text-muted"> the last owner</span> : null}
        </>
      ),
    },
    { header: "Role", line: 2, cell: ({ role }) => roleTexts[role].label },
    { header: "Last sign-in", line: 2, cell: ({ lastSignInAt }) => <Time at={lastSignInAt} /> },
    { header: "Status", line: 1, cell: ({ status }) => <Pill look={looks[status]} /> },
  ];
}

function Actions({ person, onOpen }: { person: PersonFacts; onOpen(open: Open): void }) {
  return (
    <RowMenu
      label={`Actions of ${person.name}`}
      actions={[
        { label: "Change role", onChoose: () => onOpen({ dialog: "role", person }) },
        { label: "Remove", onChoose: () => onOpen({ dialog: "remove", person }) },
      ]}
    />
  );
}

const looks: Record<PersonFacts["status"], Look> = {
  active: { text: "Active", tone: "good", title: "The person can sign in." },
  invited: { text: "Invited", tone: "warn", title: "The person has not opened their link yet." },
};
