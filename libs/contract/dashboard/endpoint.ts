// One row of the dashboard's endpoint table. The credential is the session; the public API has none of this.
import { z } from "zod";
import type { Access } from "#domain/account.ts";

export type DashboardEndpoint = {
  method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** A template; `{clanId}` is the clan in which `access` is judged. */
  path: `/api/${string}`;
  /** `public`: without a session. */
  access: Access | "public";
  params: z.ZodObject;
  query: z.ZodObject;
  /** NoBody: none is read. */
  body: z.ZodType;
  /** What a 200 holds. */
  answer: z.ZodType;
};

export const NoBody = z.undefined();
export const NoParams = z.strictObject({});
export const NoQuery = z.strictObject({});
/** For what answers nothing but that it was done. */
export const Done = z.strictObject({ done: z.literal(true) });
export const ClanParams = z.strictObject({ clanId: z.string() });

/** Keeps the row's own types. */
export function endpoint<const Row extends DashboardEndpoint>(row: Row): Row {
  return row;
}
