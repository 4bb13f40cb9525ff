// A request to the fixed service of a role destination, and the parts of its response that Roblox and Discord share.
import { jsonOf } from "#delivery/couriers/json-fields.ts";
import { resetMs } from "#delivery/couriers/retry-after.ts";
import type { NoResponse, RoleFault, RoleReply } from "#delivery/role-ports.ts";
import type { OutboundRequest, OutboundResult, SendOutbound } from "#delivery/ports.ts";

/** A page of 1,000 members of a Discord server has about 1 MB. */
const BODY_BYTES_MAX = 4 * 1024 * 1024;
/** What is quoted of a service's own message. */
const QUOTED_CHARS_MAX = 200;

export type RoleRequest = {
  method: OutboundRequest["method"];
  url: string;
  headers: Readonly<Record<string, string>>;
  body?: object;
};

/** `json`: the body, null if it is not JSON. */
export type RoleResponse = { status: number; headers: Readonly<Record<string, string>>; json: unknown };
export type RoleFailure = { kind: "failed"; reason: string; pauseMs: number; error?: NoResponse };

/** A response, or why there is none; without the credential. */
export async function sendRoleRequest(
  deps: { send: SendOutbound; timeoutMs: number; service: string },
  { body, headers, ...request }: RoleRequest,
): Promise<RoleResponse | RoleFailure> {
  const result = await deps.send({
    ...request,
    headers: { accept: "application/json", ...headers, ...(body ? { "content-type": "application/json" } : {}) },
    ...(body ? { body: JSON.stringify(body) } : {}),
    timeoutMs: deps.timeoutMs,
    bodyBytesMax: BODY_BYTES_MAX,
  });
  if (result.kind === "error") return failedOf(deps.service, result);
  return { status: result.status, headers: result.headers, json: jsonOf(result.body) };
}

function failedOf(service: string, result: OutboundResult & { kind: "error" }): RoleFailure {
  const reasons = {
    timeout: `${service} did not respond in time.`,
    connection: `${service} could not be reached: the connection failed.`,
    tls: `${service} could not be reached: its certificate was not accepted.`,
    dns: `${service} could not be reached: its name was not resolved.`,
    blocked_address: `${service} was not called: its name has an address that may not be reached from here.`,
  };
  return { kind: "failed", reason: reasons[result.error], error: result.error, pauseMs: 0 };
}

/** For statuses that mean the same everywhere; null for all others. */
export function commonFault(service: string, { status }: RoleResponse): RoleFailure | null {
  const isFinal = status >= 400 && status < 500 && status !== 408 && status !== 409 && status !== 499;
  if (isFinal || (status >= 200 && status < 300)) return null;
  return { kind: "failed", reason: `${service} responded with status ${status}.`, pauseMs: 0 };
}

/** A response with a success status whose body is not what was expected. */
export function unreadable(service: string): RoleFailure {
  return { kind: "failed", reason: `The response of ${service} could not be read.`, pauseMs: 0 };
}

/** What a header asks to wait; null if it is absent, no number, or asks for nothing. */
export function headerMs(headers: Readonly<Record<string, string>>, name: string): number | null {
  return resetMs(headers[name], new Date()) || null;
}

/** How long the service asks to wait, after a response that has used up its limit. */
export function pauseOf(headers: Readonly<Record<string, string>>, reset: string): number {
  return headers["x-ratelimit-remaining"]?.trim() === "0" ? (headerMs(headers, reset) ?? 0) : 0;
}

/** Without ids: a reason outlives the member whose id may be in it. */
export function quoted(service: string, message: string | null): string {
  if (!message) return "";
  const text = message
    .replaceAll(/\s+/g, " ")
    .replaceAll(/\d{4,}/g, "…")
    .slice(0, QUOTED_CHARS_MAX);
  return ` ${service} says: "${text}"`;
}

export function isFailure(reply: RoleResponse | RoleFailure): reply is RoleFailure {
  return "kind" in reply;
}

export function done<Value>(value: Value, pauseMs: number): RoleReply<Value> {
  return { kind: "done", value, pauseMs };
}

/** Why there was no response, as a field of what is returned; none if there was one. */
export function errorOf(reply: RoleFault): { error?: NoResponse } {
  return reply.kind === "failed" && reply.error ? { error: reply.error } : {};
}
