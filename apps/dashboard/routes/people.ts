// The people of a clan, by the same use case for owners and operators.
import type { peopleEndpoints } from "#contract/dashboard/people.ts";
import type { People } from "#accounts/people.ts";
import { DashboardError } from "../http/dashboard-error.ts";
import type { Routes } from "../http/route.ts";

const DONE = { done: true } as const;

export function makePeopleRoutes({ people }: { people: People }): Routes<typeof peopleEndpoints> {
  return {
    async "list-people"({ params: { clanId } }) {
      const listed = await people.list(clanId);
      return {
        people: listed.map(({ lastSignInAt, ...person }) => ({
          ...person,
          lastSignInAt: lastSignInAt?.toISOString() ?? null,
        })),
      };
    },

    async "invite-person"({ params: { clanId }, body: { name, role }, by }) {
      const invited = await people.invite({ clanId, name, role }, by);
      switch (invited.kind) {
        case "invited":
          return { name, link: { token: invited.token, expiresAt: invited.expiresAt.toISOString() } };
        case "has_role":
          throw nameConflict(`${name} has a role in this clan already. Use Change role to change it.`);
        case "pending":
          throw nameConflict(`${name} is invited already. For a new link, remove the person, then invite them again.`);
      }
    },

    async "change-role"({ params: { clanId, name }, body: { role }, by }) {
      const { kind } = await people.changeRole({ clanId, name, role }, by);
      if (kind !== "changed") throw personError(kind, name);
      return DONE;
    },

    async "remove-person"({ params: { clanId, name }, by }) {
      const { kind } = await people.remove({ clanId, name }, by);
      if (kind !== "removed") throw personError(kind, name);
      return DONE;
    },
  };
}

function nameConflict(detail: string): DashboardError {
  const faults = [{ pointer: "/name", detail }];
  return new DashboardError("conflict", `${detail} Nothing was changed.`, { faults });
}

function personError(kind: "no_person" | "last_owner", name: string): DashboardError {
  if (kind === "no_person")
    return new DashboardError("not_found", `${name} has no role in this clan. Nothing was changed.`);
  const detail = `${name} is the last owner of the clan. Make somebody else an owner first. Nothing was changed.`;
  return new DashboardError("conflict", detail);
}
