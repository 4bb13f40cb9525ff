// The people of a clan, for its owners: who has which role, invitations, and changes of roles.
import { z } from "zod";
import { clanRoles } from "#domain/account.ts";
import { AccountName } from "#contract/dashboard/accounts.ts";
import { ClanParams, Done, endpoint, NoBody, NoQuery } from "#contract/dashboard/endpoint.ts";
import { Instant } from "#contract/text.ts";

const Role = z.enum(clanRoles);

/** `invited`: the person has not opened their link yet. */
export const PersonFacts = z.strictObject({
  name: z.string(),
  role: Role,
  lastSignInAt: Instant.nullable(),
  status: z.enum(["active", "invited"]),
});
export type PersonFacts = z.infer<typeof PersonFacts>;

export const InvitePersonRequest = z.strictObject({ name: AccountName, role: Role });
export type InvitePersonRequest = z.infer<typeof InvitePersonRequest>;

/** `token`: the secret of the link, after its `#`. Only this response contains it. */
const InvitedPerson = z.strictObject({
  name: z.string(),
  link: z.strictObject({ token: z.string(), expiresAt: Instant }),
});

const base = { access: "owner", query: NoQuery } as const;
const PersonParams = ClanParams.extend({ name: z.string() });
export const peopleEndpoints = {
  "list-people": endpoint({
    ...base,
    method: "GET",
    path: "/api/clans/{clanId}/people",
    params: ClanParams,
    body: NoBody,
    response: z.strictObject({ people: z.array(PersonFacts) }),
  }),
  "invite-person": endpoint({
    ...base,
    method: "POST",
    path: "/api/clans/{clanId}/people",
    params: ClanParams,
    body: InvitePersonRequest,
    response: InvitedPerson,
  }),
  "change-role": endpoint({
    ...base,
    method: "PUT",
    path: "/api/clans/{clanId}/people/{name}/role",
    params: PersonParams,
    body: z.strictObject({ role: Role }),
    response: Done,
  }),
  /** The account stays, with its roles in other clans. */
  "remove-person": endpoint({
    ...base,
    method: "DELETE",
    path: "/api/clans/{clanId}/people/{name}",
    params: PersonParams,
    body: NoBody,
    response: Done,
  }),
};
