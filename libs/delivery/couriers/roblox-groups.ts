// Roles of Roblox groups, by Open Cloud v2. It has two forms of errors: its gateway's, and that of the methods.
import { fieldOf, listOf, numberOf, textOf } from "#delivery/couriers/json-fields.ts";
import {
  commonFault,
  done,
  headerMs,
  isFailure,
  pauseOf,
  errorOf,
  quoted,
  sendRoleRequest,
  unreadable,
  type RoleRequest,
  type RoleResponse,
} from "#delivery/couriers/role-request.ts";
import type { SendOutbound } from "#delivery/ports.ts";
import type { OfferedRole, RoleClient, RoleFault, RolePage, RoleReply, RoleService } from "#delivery/role-ports.ts";

const ROBLOX = "Roblox";
/** The most that Roblox gives in one page. */
const ROLES_PER_PAGE = 20;
const MEMBERS_PER_PAGE = 100;
/** No group has as many pages of roles: a service that always has a next page must not keep us. */
const ROLE_PAGES_MAX = 20;
const GUEST_RANK = 0;
const OWNER_RANK = 255;
/** Messages about the rank of a person. Roblox documents none of them. */
const ABOUT_PERSON = /rank|lower|higher|owner|themsel|yourself|own role/i;

type Deps = { send: SendOutbound; baseUrl: string; timeoutMs: number };

export function makeRobloxGroups(deps: Deps): RoleService {
  return {
    client: (groupId, key) => makeClient(deps, groupId, key),
    inspect: (groupId, key) => inspect(deps, groupId, key),
  };
}

type Ask = (request: Omit<RoleRequest, "headers" | "url"> & { path: string }) => Promise<RoleReply<RoleResponse>>;

function makeAsk(deps: Deps, groupId: string, key: string): Ask {
  const group = `${deps.baseUrl.replace(/\/$/, "")}/cloud/v2/groups/${encodeURIComponent(groupId)}`;
  return async ({ path, ...request }) => {
    const url = `${group}${path}`;
    const response = await sendRoleRequest(
      { ...deps, service: ROBLOX },
      { ...request, url, headers: { "x-api-key": key } },
    );
    if (isFailure(response)) return response;
    const pauseMs = pauseOf(response.headers, "x-ratelimit-reset");
    if (response.status === 429) return { kind: "rest", forMs: headerMs(response.headers, "retry-after"), pauseMs };
    return commonFault(ROBLOX, response) ?? done(response, pauseMs);
  };
}

function makeClient(deps: Deps, groupId: string, key: string): RoleClient {
  const ask = makeAsk(deps, groupId, key);

  async function change(verb: "assignRole" | "unassignRole", platformId: string, roleId: string) {
    const reply = await ask({
      method: "POST",
      path: `/memberships/${platformId}:${verb}`,
      body: { role: `groups/${groupId}/roles/${roleId}` },
    });
    if (reply.kind !== "done") return reply;
    const { value: response, pauseMs } = reply;
    return response.status < 300 ? done(null, pauseMs) : { ...changeFault(response, roleId), pauseMs };
  }

  return {
    listRoles: (after) => listRoles(ask, groupId, after),
    async listMembers(after) {
      const query = new URLSearchParams({ maxPageSize: `${MEMBERS_PER_PAGE}`, ...(after ? { pageToken: after } : {}) });
      return pageOf(
        await ask({ method: "GET", path: `/memberships?${query.toString()}` }),
        groupId,
        "groupMemberships",
        memberOf,
      );
    },
    async readMember(platformId) {
      const filter = encodeURIComponent(`user == 'users/${platformId}'`);
      const reply = await ask({ method: "GET", path: `/memberships?maxPageSize=1&filter=${filter}` });
      // Roblox does not accept the id as one of a person.
      if (reply.kind === "done" && reply.value.status === 400)
        return { ...changeFault(reply.value, ""), pauseMs: reply.pauseMs };
      const page = pageOf(reply, groupId, "groupMemberships", memberOf);
      if (page.kind !== "done") return page;
      const found = page.value.items.find((member) => member.platformId === platformId);
      return found ? done(found.has, page.pauseMs) : { kind: "not_there", pauseMs: page.pauseMs };
    },
    assign: (platformId, roleId) => change("assignRole", platformId, roleId),
    unassign: (platformId, roleId) => change("unassignRole", platformId, roleId),
  };
}

async function listRoles(ask: Ask, groupId: string, after: string | null): Promise<RoleReply<RolePage<OfferedRole>>> {
  const query = new URLSearchParams({ maxPageSize: `${ROLES_PER_PAGE}`, ...(after ? { pageToken: after } : {}) });
  return pageOf(await ask({ method: "GET", path: `/roles?${query.toString()}` }), groupId, "groupRoles", roleOf);
}

function pageOf<Item>(
  reply: RoleReply<RoleResponse>,
  groupId: string,
  name: string,
  itemOf: (json: unknown) => Item | null,
): RoleReply<RolePage<Item>> {
  if (reply.kind !== "done") return reply;
  const { value: response, pauseMs } = reply;
  if (response.status >= 300) return { ...readFault(response, groupId), pauseMs };
  // Roblox leaves an empty list out.
  const isObject = typeof response.json === "object" && response.json !== null;
  const items = isObject ? (listOf(response.json, name) ?? []).map(itemOf) : [null];
  if (!items.every((item) => item !== null)) return unreadable(ROBLOX);
  return done({ items, next: textOf(response.json, "nextPageToken") || null }, pauseMs);
}

function roleOf(json: unknown): OfferedRole | null {
  const [roleId, rank] = [textOf(json, "id") ?? lastPart(textOf(json, "path")), numberOf(json, "rank")];
  if (!roleId || rank === null) return null;
  const name = textOf(json, "displayName") ?? roleId;
  const kind = rank === GUEST_RANK ? "Guest" : rank === OWNER_RANK ? "Owner" : null;
  const fault = kind && `The role "${name}" is the ${kind} role of the group, which Roblox assigns to nobody.`;
  return { roleId, name, isOwner: rank === OWNER_RANK, fault };
}

function memberOf(json: unknown): { platformId: string; has: readonly string[] } | null {
  const platformId = lastPart(textOf(json, "user"));
  // `role`, the highest one, is all that the API had before members could have several.
  const roles = listOf(json, "roles") ?? [fieldOf(json, "role")];
  const has = roles.flatMap((role) => (typeof role === "string" ? (lastPart(role) ?? []) : []));
  return platformId ? { platformId, has } : null;
}

/** Of a resource path such as groups/123/roles/456. */
function lastPart(path: string | null): string | null {
  return path?.split("/").at(-1) || null;
}

/** Of the gateway's form {"errors": [{"message"}]}, or of the methods' form {"code", "message"}. */
function messageOf(json: unknown): string | null {
  return textOf(json, "message") ?? textOf(listOf(json, "errors")?.[0], "message");
}

function keyFault(message: string | null): string {
  return `Roblox rejects the API key: it was deleted, disabled or regenerated, has expired, or is limited to other IP addresses. Check it in the Creator Dashboard, or enter a new one.${quoted(ROBLOX, message)}`;
}

/** Of a request that only reads: nothing else can succeed either. */
function readFault({ status, json }: RoleResponse, groupId: string): RoleFault {
  const message = messageOf(json);
  if (status === 401) return { kind: "stopped", reason: keyFault(message) };
  if (status === 403)
    return {
      kind: "stopped",
      reason: `The API key may not read the group ${groupId}: give it the scope group:write, and let it be used from the address of this server.${quoted(ROBLOX, message)}`,
    };
  return {
    kind: "stopped",
    reason: `Roblox has no group ${groupId} that this API key can read (status ${status}). Check the id of the group.${quoted(ROBLOX, message)}`,
  };
}

function changeFault({ status, json }: RoleResponse, roleId: string): RoleFault {
  const message = messageOf(json);
  if (status === 401) return { kind: "stopped", reason: keyFault(message) };
  if (status === 403) {
    const isAboutPerson = ABOUT_PERSON.test(message ?? "");
    const reason = isAboutPerson
      ? "The key's owner may not change this person: only people below the highest role of the key's owner can be changed. Give the key's owner a higher role, or change this person's roles manually."
      : "The key's owner has no permission to manage members' roles: give their role in the group the permission to manage members below it, above every role of the mapping, and give the key the scope group:write.";
    return { kind: "denied", isAboutPerson, reason: `${reason}${quoted(ROBLOX, message)}` };
  }
  if (status === 404 && !/role/i.test(message ?? "")) return { kind: "not_there" };
  const reason =
    status === 404
      ? `The group has no role ${roleId} any more: choose another one in the mapping.`
      : `Roblox does not change the roles of this person (status ${status}).`;
  return { kind: "rejected", reason: `${reason}${quoted(ROBLOX, message)}` };
}

async function inspect(deps: Deps, groupId: string, key: string): ReturnType<RoleService["inspect"]> {
  const [ask, roles] = [makeAsk(deps, groupId, key), [] as OfferedRole[]];
  let after: string | null = null;
  for (let pages = 0; pages < ROLE_PAGES_MAX; pages += 1) {
    const page: RoleReply<RolePage<OfferedRole>> = await listRoles(ask, groupId, after);
    if (page.kind !== "done") return { fault: inspectionFault(page), roles: [], ...errorOf(page) };
    roles.push(...page.value.items);
    after = page.value.next;
    if (after === null) break;
  }
  return { fault: await scopeFault(deps, groupId, key), roles };
}

function inspectionFault(fault: RoleFault): string {
  if (fault.kind === "rest") return "Roblox has received too many requests of the key's owner: try again in a minute.";
  return "reason" in fault ? fault.reason : unreadable(ROBLOX).reason;
}

/** Roles can be read without any scope. Null if Roblox does not say what the key may do. */
async function scopeFault({ send, baseUrl, timeoutMs }: Deps, groupId: string, key: string): Promise<string | null> {
  const response = await sendRoleRequest(
    { send, timeoutMs, service: ROBLOX },
    { method: "POST", url: `${baseUrl.replace(/\/$/, "")}/api-keys/v1/introspect`, headers: {}, body: { apiKey: key } },
  );
  if (isFailure(response) || response.status !== 200) return null;
  if (fieldOf(response.json, "enabled") === false || fieldOf(response.json, "expired") === true) return keyFault(null);
  const scopes = listOf(response.json, "scopes");
  const mayWrite = scopes?.some((scope) => {
    const groups = listOf(scope, "groupIds");
    const isOfGroup = groups === null || groups.includes("*") || groups.includes(groupId);
    return textOf(scope, "name") === "group" && listOf(scope, "operations")?.includes("write") && isOfGroup;
  });
  return mayWrite === false
    ? `The API key does not have the scope group:write for the group ${groupId}: add it in the Creator Dashboard.`
    : null;
}
