// One row of the dashboard's endpoint table. The credential is the session; the public API has no sessions.
import { z } from "zod";
import type { Access } from "#domain/account.ts";

export type DashboardEndpoint = {
  method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** A template; `{clanId}` is the clan for which `access` is checked. */
  path: `/api/${string}`;
  /** `public`: without a session. */
  access: Access | "public";
  params: z.ZodObject;
  query: z.ZodObject;
  /** NoBody: the body is not read. */
  body: z.ZodType;
  /** For a body that is larger than those of other endpoints. */
  bodyBytesMax?: number;
  /** The body of a 200 response; CsvFile: a file that the browser stores; HtmlPage: a page. */
  response: z.ZodType;
};

export const NoBody = z.undefined();
export const NoParams = z.strictObject({});
export const NoQuery = z.strictObject({});
/** For a response that only confirms success. */
export const Done = z.strictObject({ done: z.literal(true) });
export const ClanParams = z.strictObject({ clanId: z.string() });

/** A response that is not JSON: a CSV file, whose text is created while it is sent. */
export type CsvFile = { fileName: string; text: AsyncIterable<string> };
export const CsvFile: z.ZodType<CsvFile> = z.custom<CsvFile>();

/** A response that a frame of the dashboard's own pages shows, with its own headers. */
export type HtmlPage = { html: string; headers: Readonly<Record<string, string>> };
export const HtmlPage: z.ZodType<HtmlPage> = z.custom<HtmlPage>();

/** Keeps the row's own types. */
export function endpoint<const Row extends DashboardEndpoint>(row: Row): Row {
  return row;
}
