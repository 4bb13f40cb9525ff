// Calls an endpoint of the dashboard by its row of the table: path, parts and response have the row's types.
import type { z } from "zod";
import type { DashboardEndpointName, DashboardEndpoints } from "#contract/dashboard/endpoints.ts";
import { PERSON_HEADER } from "#contract/dashboard/person-header.ts";
import { addressOf, type Addressed } from "./address-of.ts";
import { ApiError } from "./api-error.ts";
import { isPersonActive } from "./is-person-active.ts";

type Row<Name extends DashboardEndpointName> = DashboardEndpoints[Name];
export type Sent<Name extends DashboardEndpointName> = Addressed<Name> & { body?: z.input<Row<Name>["body"]> };
export type ResponseOf<Name extends DashboardEndpointName> = z.output<Row<Name>["response"]>;

/** Longer than the server's own time limits. */
const TIMEOUT_MS = 20_000;

/** Throws ApiError for everything except the row's response. */
export async function call<Name extends DashboardEndpointName>(
  name: Name,
  sent: Sent<Name> = {},
  signal?: AbortSignal,
  timeoutMs = TIMEOUT_MS,
): Promise<ResponseOf<Name>> {
  const { method, url } = addressOf(name, sent);
  const timeout = AbortSignal.timeout(timeoutMs);
  const response = await fetch(url, {
    method,
    headers: {
      ...(isPersonActive() ? { [PERSON_HEADER]: "active" } : {}),
      ...(sent.body === undefined ? {} : { "content-type": "application/json" }),
    },
    body: sent.body === undefined ? null : JSON.stringify(sent.body),
    signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
  }).catch((error: unknown) => {
    if (signal?.aborted) throw error;
    throw new ApiError({
      code: "connection",
      detail: "The dashboard cannot be reached. Check your connection and try again.",
      requestId: null,
    });
  });
  const body: unknown = await response.json().catch(() => null);
  // A response that is not JSON comes from a proxy, such as the sign-in page of a network.
  if (response.ok && body !== null) return body as ResponseOf<Name>;
  throw ApiError.of(response.status, body);
}
