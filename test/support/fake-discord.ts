// Discord's API for roles of a server, on real HTTP: its pages, limits and codes of errors, as its reference documents
// them.
import { ofGateway } from "./discord.ts";
import { startFakeService, type FakeService, type Reply, type Seen } from "./fake-service.ts";

export type ServerRole = { id: string; name: string; position: number; permissions: string; managed: boolean };

export type FakeDiscord = FakeService & {
  serverId: string;
  token: string;
  botId: string;
  roles: ServerRole[];
  /** By user id: role ids. */
  members: Map<string, Set<string>>;
  /** Without it, members cannot be listed. */
  hasIntent: boolean;
};

const MANAGE_ROLES = 1n << 28n;
const PATH = /^\/api\/v10\/(?:(users\/@me)|guilds\/(\d+)\/(?:(roles)|members(?:\/(\d+)(?:\/roles\/(\d+))?)?))$/;

export async function startFakeDiscord(): Promise<FakeDiscord> {
  const [serverId, botId] = ["700000000000000000", "900000000000000001"];
  const role = (id: string, name: string, position: number, changes: Partial<ServerRole> = {}): ServerRole => {
    return { id, name, position, permissions: "0", managed: false, ...changes };
  };
  const server = {
    serverId,
    token: "discord.bot.token",
    botId,
    roles: [
      role(serverId, "@everyone", 0),
      role("700000000000000010", "Recruit", 1),
      role("700000000000000020", "Veteran", 2),
      role("700000000000000030", "Elite", 3),
      role("700000000000000050", "Clan XP", 5, { permissions: `${MANAGE_ROLES}`, managed: true }),
      role("700000000000000099", "Moderator", 9),
    ],
    members: new Map([[botId, new Set(["700000000000000050"])]]),
    hasIntent: true,
  };

  function respond({ method, path, query, headers }: Seen): Reply {
    if (headers.authorization !== `Bot ${server.token}`) return problem(401, 0, "401: Unauthorized");
    const [match, me, ofServer, roles, userId, roleId] = PATH.exec(path) ?? [];
    if (match === undefined) return problem(404, 0, "404: Not Found");
    if (me) return { status: 200, body: { id: server.botId, bot: true } };
    if (ofServer !== server.serverId) return problem(404, 10_004, "Unknown Guild");
    if (roles) return { status: 200, body: server.roles };
    if (userId === undefined) return list(query);
    const held = server.members.get(userId);
    if (!held) return problem(404, 10_007, "Unknown Member");
    if (roleId === undefined) return { status: 200, body: memberOf([userId, held]) };
    return change(method, held, roleId);
  }

  function list(query: URLSearchParams): Reply {
    if (!server.hasIntent) return problem(403, 50_001, "Missing Access");
    const [limit, after] = [Number(query.get("limit") ?? 1), query.get("after") ?? "0"];
    const members = [...server.members].filter(([userId]) => BigInt(userId) > BigInt(after));
    const page = members.toSorted(([a], [b]) => (BigInt(a) < BigInt(b) ? -1 : 1)).slice(0, limit);
    return { status: 200, body: page.map(memberOf) };
  }

  function change(method: string, held: Set<string>, roleId: string): Reply {
    const wanted = server.roles.find(({ id }) => id === roleId);
    if (!wanted) return problem(404, 10_011, "Unknown Role");
    const own = server.roles.filter(({ id }) => server.members.get(server.botId)?.has(id));
    const highest = Math.max(0, ...own.map(({ position }) => position));
    const mayManage = own.some(({ permissions }) => (BigInt(permissions) & MANAGE_ROLES) !== 0n);
    if (!mayManage || wanted.managed || wanted.position >= highest) return problem(403, 50_013, "Missing Permissions");
    if (method === "PUT") held.add(roleId);
    else held.delete(roleId);
    return { status: 204 };
  }

  const service = await startFakeService({
    respond,
    limited: (leftMs) => ({
      status: 429,
      headers: ofGateway,
      body: { message: "You are being rate limited.", retry_after: leftMs / 1_000, global: false },
    }),
    limitHeaders: (left, leftMs) => ({
      "x-ratelimit-remaining": `${left}`,
      "x-ratelimit-reset-after": (leftMs / 1_000).toFixed(3),
      "x-ratelimit-bucket": "abcd",
    }),
  });
  // The object that tests change is the one that the service reads.
  return Object.assign(server, service, { url: `${service.url}/api` });
}

function memberOf([id, roles]: [string, ReadonlySet<string>]): object {
  return { user: { id, username: `user-${id}` }, roles: [...roles], joined_at: "2026-01-01T00:00:00Z" };
}

function problem(status: number, code: number, message: string): Reply {
  return { status, headers: ofGateway, body: { message, code } };
}
