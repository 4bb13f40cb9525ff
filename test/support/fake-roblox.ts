// Roblox' Open Cloud for groups, on real HTTP: its pages, limits and two forms of errors, as its reference documents
// them.
import { startFakeService, type FakeService, type Reply, type Seen } from "./fake-service.ts";

export type GroupRole = { id: string; name: string; rank: number };

export type FakeRoblox = FakeService & {
  groupId: string;
  key: string;
  roles: GroupRole[];
  /** By user id: role ids. Pages follow this order. */
  members: Map<string, Set<string>>;
  /** What the key's owner may do. */
  mayManage: boolean;
  /** The key's owner can change people whose highest role is below this rank. */
  ownersRank: number;
  /** Scopes that introspection reports; null: it does not work. */
  scopes: object[] | null;
  /** Called after each page of members. */
  afterPage: (page: number) => void;
};

const METHODS = /^\/cloud\/v2\/groups\/(\d+)\/(roles|memberships)(?:\/(\d+):(assignRole|unassignRole))?$/;

export async function startFakeRoblox(): Promise<FakeRoblox> {
  const group = {
    groupId: "4242",
    key: "roblox-open-cloud-key",
    roles: [
      { id: "1000", name: "Guest", rank: 0 },
      { id: "1001", name: "Member", rank: 1 },
      { id: "1010", name: "Recruit", rank: 10 },
      { id: "1020", name: "Veteran", rank: 20 },
      { id: "1030", name: "Elite", rank: 30 },
      { id: "1099", name: "Moderator", rank: 99 },
      { id: "1255", name: "Owner", rank: 255 },
    ],
    members: new Map<string, Set<string>>(),
    mayManage: true,
    ownersRank: 200,
    scopes: [{ name: "group", operations: ["write"], groupIds: ["4242"] }] as object[] | null,
    afterPage: (_page: number): void => {},
  };

  function respond({ method, path, query, headers, body }: Seen): Reply {
    if (path === "/api-keys/v1/introspect") {
      if (group.scopes === null) return { status: 404, body: "no such page" };
      return { status: 200, body: { name: "test", enabled: true, expired: false, scopes: group.scopes } };
    }
    if (headers["x-api-key"] !== group.key)
      return { status: 401, body: { errors: [{ code: 0, message: "Invalid API Key" }] } };
    const [, groupId, list, userId, verb] = METHODS.exec(path) ?? [];
    if (groupId !== group.groupId) return problem(404, "NOT_FOUND", "The group was not found.");
    if (method === "GET" && userId === undefined) return list === "roles" ? listRoles(query) : listMembers(query);
    if (method === "POST" && userId && verb) return change(userId, verb, body);
    return { status: 405, body: "" };
  }

  function listRoles(query: URLSearchParams): Reply {
    const roles = group.roles.map(({ id, name, rank }) => {
      return { path: `groups/${group.groupId}/roles/${id}`, id, displayName: name, rank };
    });
    return pageOf("groupRoles", roles, query, 20);
  }

  function listMembers(query: URLSearchParams): Reply {
    const filter = query.get("filter");
    const wanted = filter === null ? null : /^user == 'users\/(\d+)'$/.exec(filter)?.[1];
    if (wanted === undefined) return problem(400, "INVALID_ARGUMENT", "The provided filter is invalid.");
    const found = [...group.members].filter(([userId]) => wanted === null || userId === wanted);
    const page = pageOf("groupMemberships", found.map(membershipOf), query, 100);
    if (wanted === null) group.afterPage(Number(query.get("pageToken") ?? 0));
    return page;
  }

  function membershipOf([userId, held]: [string, ReadonlySet<string>]): object {
    const path = `groups/${group.groupId}/memberships/${userId}`;
    const roles = rolesOf(held).map(({ id }) => `groups/${group.groupId}/roles/${id}`);
    return { path, user: `users/${userId}`, role: roles[0], roles };
  }

  /** The highest first. */
  function rolesOf(held: ReadonlySet<string>): GroupRole[] {
    return group.roles.filter(({ id }) => held.has(id)).toSorted((a, b) => b.rank - a.rank);
  }

  function change(userId: string, verb: string, body: any): Reply {
    const role = group.roles.find(({ id }) => body?.role === `groups/${group.groupId}/roles/${id}`);
    if (!group.mayManage) return problem(403, "PERMISSION_DENIED", "You do not have permission to manage this member.");
    const held = group.members.get(userId);
    if (!held) return problem(404, "NOT_FOUND", "The user is not a member of the group.");
    if (!role) return problem(404, "NOT_FOUND", "The role does not exist.");
    if ((rolesOf(held)[0]?.rank ?? 0) >= group.ownersRank)
      return problem(403, "PERMISSION_DENIED", "You do not have permission to manage this member.");
    if (role.rank === 0 || role.rank === 255) return problem(400, "INVALID_ARGUMENT", "This role cannot be assigned.");
    if (verb === "assignRole") held.add(role.id);
    else held.delete(role.id);
    return { status: 200, body: membershipOf([userId, held]) };
  }

  const service = await startFakeService({
    respond,
    limited: () => problem(429, "RESOURCE_EXHAUSTED", "Slow down."),
    limitHeaders: (left, leftMs) => ({
      "x-ratelimit-limit": "300, 300;w=60",
      "x-ratelimit-remaining": `${left}`,
      "x-ratelimit-reset": `${Math.ceil(leftMs / 1_000)}`,
    }),
  });
  // The object that tests change is the one that the service reads.
  return Object.assign(group, service);
}

/** A page token is the place of the next item: people who join or leave meanwhile move the others. */
function pageOf(name: string, items: readonly object[], query: URLSearchParams, sizeMax: number): Reply {
  const size = Math.min(Number(query.get("maxPageSize") ?? 10), sizeMax);
  const from = Number(query.get("pageToken") ?? 0);
  const page = items.slice(from, from + size);
  const next = from + size < items.length ? { nextPageToken: `${from + size}` } : {};
  return { status: 200, body: { ...(page.length > 0 ? { [name]: page } : {}), ...next } };
}

function problem(status: number, code: string, message: string): Reply {
  return { status, body: { code, message } };
}
