// Where Roblox's requests to erase players of a clan are received, for its owners.
import { z } from "zod";
import { ClanParams, Done, endpoint, NoBody, NoQuery } from "#contract/dashboard/endpoint.ts";
import { Instant } from "#contract/text.ts";

/** `isShared`: it also erases from other clans, so only an operator changes it. */
const ErasureHookFacts = z.strictObject({
  hookId: z.string(),
  url: z.string(),
  isShared: z.boolean(),
  createdAt: Instant,
  createdBy: z.string(),
});
export type ErasureHookFacts = z.infer<typeof ErasureHookFacts>;

/** Only this response contains the secret. */
export const MadeErasureHook = z.strictObject({ hookId: z.string(), url: z.string(), secret: z.string() });
export type MadeErasureHook = z.infer<typeof MadeErasureHook>;

const path = "/api/clans/{clanId}/erasure-hooks";
const HookParams = ClanParams.extend({ hookId: z.string() });

export const erasureHookEndpoints = {
  /** `held`: requests that wait for the operator. */
  "list-erasure-hooks": endpoint({
    method: "GET",
    path,
    access: "owner",
    params: ClanParams,
    query: NoQuery,
    body: NoBody,
    response: z.strictObject({ hooks: z.array(ErasureHookFacts), held: z.int() }),
  }),
  "add-erasure-hook": endpoint({
    method: "POST",
    path,
    access: "owner",
    params: ClanParams,
    query: NoQuery,
    body: z.strictObject({}),
    response: MadeErasureHook,
  }),
  "rotate-erasure-hook": endpoint({
    method: "POST",
    path: `${path}/{hookId}/rotate`,
    access: "owner",
    params: HookParams,
    query: NoQuery,
    body: NoBody,
    response: MadeErasureHook,
  }),
  "remove-erasure-hook": endpoint({
    method: "DELETE",
    path: `${path}/{hookId}`,
    access: "owner",
    params: HookParams,
    query: NoQuery,
    body: NoBody,
    response: Done,
  }),
};
