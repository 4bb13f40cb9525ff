// Roles of Discord servers, by a bot. Discord's limits are read from its responses, and one stop holds for the requests
// of all clans (DiscordStop).
import { guardDiscord } from "#delivery/couriers/discord-limits.ts";
import { fieldOf, listOf, numberOf, textOf } from "#delivery/couriers/json-fields.ts";
import {
  commonFault,
  done,
  isFailure,
  pauseOf,
  errorOf,
  quoted,
  sendRoleRequest,
  unreadable,
  type RoleRequest,
  type RoleResponse,
} from "#delivery/couriers/role-request.ts";
import type { DiscordStop, SendOutbound } from "#delivery/ports.ts";
import type { OfferedRole, RoleClient, RoleFault, RoleReply, RolesOf, RoleService } from "#delivery/role-ports.ts";

const DISCORD = "Discord";
const API_VERSION = "v10";
/** The most that Discord gives in one page. */
const MEMBERS_PER_PAGE = 1_000;
const ADMINISTRATOR = 1n << 3n;
const MANAGE_ROLES = 1n << 28n;
/** Discord's own codes of errors. */
const UNKNOWN_SERVER = 10_004;
const UNKNOWN_MEMBER = 10_007;
const UNKNOWN_ROLE = 10_011;
const UNKNOWN_USER = 10_013;

type Deps = { send: SendOutbound; stop: DiscordStop; baseUrl: string; timeoutMs: number; userAgent: string };

export function makeDiscordRoles(deps: Deps): RoleService {
  return {
    client: (serverId, token, clanId) => makeClient(makeAsk(deps, token, clanId), serverId),
    inspect: (serverId, token, clanId) => inspect(makeAsk(deps, token, clanId), serverId),
  };
}

type Ask = (method: RoleRequest["method"], path: string) => Promise<RoleReply<RoleResponse>>;

function makeAsk({ stop, userAgent, ...deps }: Deps, token: string, clanId: string): Ask {
  const guard = guardDiscord(stop);
  return async (method, path) => {
    const restMs = await guard.restMs(clanId);
    if (restMs > 0) return { kind: "rest", forMs: restMs, pauseMs: 0 };
    const headers = { authorization: `Bot ${token}`, "user-agent": userAgent };
    const url = `${deps.baseUrl.replace(/\/$/, "")}/${API_VERSION}${path}`;
    const response = await sendRoleRequest({ ...deps, service: DISCORD }, { method, url, headers });
    if (isFailure(response)) return response;
    const forMs = await guard.note(clanId, response);
    const pauseMs = pauseOf(response.headers, "x-ratelimit-reset-after");
    if (forMs !== null) return { kind: "rest", forMs, pauseMs };
    return commonFault(DISCORD, response) ?? done(response, pauseMs);
  };
}

function makeClient(ask: Ask, serverId: string): RoleClient {
  const server = `/guilds/${encodeURIComponent(serverId)}`;

  async function change(method: "PUT" | "DELETE", platformId: string, roleId: string): Promise<RoleReply<null>> {
    const reply = await ask(method, `${server}/members/${platformId}/roles/${encodeURIComponent(roleId)}`);
    if (reply.kind !== "done") return reply;
    const { value: response, pauseMs } = reply;
    return response.status < 300 ? done(null, pauseMs) : { ...faultOf(response, serverId, roleId), pauseMs };
  }

  return {
    async listRoles() {
      const reply = await ask("GET", `${server}/roles`);
      if (reply.kind !== "done") return reply;
      const { value: response, pauseMs } = reply;
      if (response.status >= 300) return { ...readFault(response, serverId), pauseMs };
      const roles = rolesOf(response.json);
      if (!roles) return unreadable(DISCORD);
      return done({ items: roles.map((role) => offered(role, serverId, null)), next: null }, pauseMs);
    },
    async listMembers(after) {
      const query = new URLSearchParams({ limit: `${MEMBERS_PER_PAGE}`, ...(after ? { after } : {}) });
      const reply = await ask("GET", `${server}/members?${query.toString()}`);
      if (reply.kind !== "done") return reply;
      const { value: response, pauseMs } = reply;
      if (response.status >= 300) return { ...readFault(response, serverId), pauseMs };
      const items = listOf(response.json)?.map(memberOf) ?? [null];
      if (!items.every((item) => item !== null)) return unreadable(DISCORD);
      const last = items.at(-1);
      return done({ items, next: items.length === MEMBERS_PER_PAGE && last ? last.platformId : null }, pauseMs);
    },
    async readMember(platformId) {
      const reply = await ask("GET", `${server}/members/${platformId}`);
      if (reply.kind !== "done") return reply;
      const { value: response, pauseMs } = reply;
      if (response.status >= 300) return { ...faultOf(response, serverId, null), pauseMs };
      const member = memberOf(response.json);
      return member ? done(member.has, pauseMs) : unreadable(DISCORD);
    },
    assign: (platformId, roleId) => change("PUT", platformId, roleId),
    unassign: (platformId, roleId) => change("DELETE", platformId, roleId),
  };
}

type ServerRole = { roleId: string; name: string; position: number; permissions: bigint; isManaged: boolean };

function rolesOf(json: unknown): ServerRole[] | null {
  const roles = listOf(json)?.map((role): ServerRole | null => {
    const [roleId, position] = [textOf(role, "id"), numberOf(role, "position")];
    const permissions = textOf(role, "permissions") ?? "";
    if (!roleId || position === null || !/^\d{1,20}$/.test(permissions)) return null;
    const isManaged = fieldOf(role, "managed") === true;
    return { roleId, name: textOf(role, "name") ?? roleId, position, permissions: BigInt(permissions), isManaged };
  });
  return roles?.every((role) => role !== null) ? roles : null;
}

/** `highest`: the position of the bot's highest role; null if it is not known. */
function offered(
  { roleId, name, position, isManaged }: ServerRole,
  serverId: string,
  highest: number | null,
): OfferedRole {
  let fault: string | null = null;
  if (roleId === serverId) fault = `The role "${name}" is everybody's, which Discord does not assign.`;
  else if (isManaged) fault = `The role "${name}" belongs to an integration, which alone assigns it.`;
  else if (highest !== null && position >= highest)
    fault = `The bot's highest role must be above the role "${name}": in the settings of the server, under Roles, drag the bot's role above it.`;
  return { roleId, name, isOwner: false, fault };
}

function memberOf(json: unknown): RolesOf | null {
  const [platformId, roles] = [textOf(fieldOf(json, "user"), "id"), listOf(json, "roles")];
  if (!platformId || !roles) return null;
  return { platformId, has: roles.filter((role) => typeof role === "string") };
}

function tokenFault(message: string | null): string {
  return `Discord rejects the bot token: it was reset, or the bot was deleted. Enter the bot's present token.${quoted(DISCORD, message)}`;
}

/** Of a request that only reads: nothing else can succeed either. */
function readFault({ status, json }: RoleResponse, serverId: string): RoleFault {
  const message = textOf(json, "message");
  if (status === 401) return { kind: "stopped", reason: tokenFault(message) };
  if (status === 403)
    return {
      kind: "stopped",
      reason: `The bot may not read the members of the server: add it to the server ${serverId}, and switch on the Server Members Intent on the page Bot of its application.${quoted(DISCORD, message)}`,
    };
  return {
    kind: "stopped",
    reason: `The bot is not in a server ${serverId} (status ${status}): check the id of the server, and add the bot to it.${quoted(DISCORD, message)}`,
  };
}

const NO_PERMISSION =
  "The bot may not change members' roles: it needs the permission Manage Roles, and its highest role must be above every role of the mapping.";
/** By Discord's code, what a 403 means that has another cause. */
const DENIED: Readonly<Record<number, string>> = {
  20_001: "Discord permits this to people only: enter the token of a bot, not of a person's account.",
  40_333: "Discord has rejected the request as a whole, not its credential. It is tried again by itself.",
  50_001: "The bot has no access to the server any more: add it to the server again, with the permission Manage Roles.",
  60_003:
    "Two-factor sign-in is required of moderators by the server: switch it on in the Discord account that owns the bot.",
};

/** `roleId` null: of a request that only reads the person. */
function faultOf(response: RoleResponse, serverId: string, roleId: string | null): RoleFault {
  const { status, json } = response;
  const [code, message] = [numberOf(json, "code"), textOf(json, "message")];
  if (status === 401 || code === UNKNOWN_SERVER) return readFault(response, serverId);
  if (status === 403 && roleId === null) return readFault(response, serverId);
  if (status === 403) {
    const why = (code === null ? undefined : DENIED[code]) ?? NO_PERMISSION;
    return { kind: "denied", isAboutPerson: false, reason: `${why}${quoted(DISCORD, message)}` };
  }
  if (status === 404 && (code === UNKNOWN_MEMBER || code === UNKNOWN_USER)) return { kind: "not_there" };
  const reason =
    code === UNKNOWN_ROLE
      ? `The server has no role ${roleId ?? ""} any more: choose another one in the mapping.`
      : `Discord does not change the roles of this person (status ${status}).`;
  return { kind: "rejected", reason: `${reason}${quoted(DISCORD, message)}` };
}

async function inspect(ask: Ask, serverId: string): ReturnType<RoleService["inspect"]> {
  const server = `/guilds/${encodeURIComponent(serverId)}`;
  const faulty = (fault: string) => ({ fault, roles: [] });
  const responses: unknown[] = [];
  // Members can be listed only with a privileged intent.
  for (const path of ["/users/@me", `${server}/roles`, `${server}/members?limit=1`]) {
    const reply = await ask("GET", path);
    if (reply.kind === "rest") return faulty("Discord has received too many requests: try again in a minute.");
    if (reply.kind !== "done")
      return { ...faulty("reason" in reply ? reply.reason : unreadable(DISCORD).reason), ...errorOf(reply) };
    const fault = reply.value.status >= 300 ? readFault(reply.value, serverId) : null;
    if (fault && "reason" in fault) return faulty(fault.reason);
    responses.push(reply.value.json);
  }
  const [botId, roles] = [textOf(responses[0], "id"), rolesOf(responses[1])];
  if (!botId || !roles) return faulty(unreadable(DISCORD).reason);
  const bot = await ask("GET", `${server}/members/${botId}`);
  if (bot.kind === "failed") return { ...faulty(bot.reason), ...errorOf(bot) };
  const has = bot.kind === "done" && bot.value.status < 300 ? memberOf(bot.value.json)?.has : undefined;
  if (!has) return faulty(`The bot is not in the server ${serverId}: add it to the server.`);

  const own = roles.filter(({ roleId }) => roleId === serverId || has.includes(roleId));
  const permissions = own.reduce((all, role) => all | role.permissions, 0n);
  if ((permissions & (ADMINISTRATOR | MANAGE_ROLES)) === 0n)
    return faulty("The bot does not have the permission Manage Roles: give it to the bot's role in the server.");
  const highest = Math.max(...own.map(({ position }) => position));
  return { fault: null, roles: roles.map((role) => offered(role, serverId, highest)) };
}
