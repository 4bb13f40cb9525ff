// The method and the address of an endpoint, by its row of the table.
import type { z } from "zod";
import type { DashboardEndpointName, DashboardEndpoints } from "#contract/dashboard/endpoints.ts";

type Row<Name extends DashboardEndpointName> = DashboardEndpoints[Name];
export type Addressed<Name extends DashboardEndpointName> = {
  params?: z.input<Row<Name>["params"]>;
  query?: z.input<Row<Name>["query"]>;
};

/**
 * The paths of the endpoint table, inserted by the build (scripts/dashboard/build.ts), so that the first screen does
 * not load the schemas.
 */
declare const ENDPOINT_PATHS: Readonly<Record<DashboardEndpointName, readonly [method: string, path: string]>>;

export function addressOf<Name extends DashboardEndpointName>(
  name: Name,
  sent: Addressed<Name>,
): { method: string; url: string } {
  const [method, path] = ENDPOINT_PATHS[name];
  return { method, url: urlOf(path, sent.params ?? {}, sent.query ?? {}) };
}

function urlOf(path: string, params: Record<string, unknown>, query: Record<string, unknown>): string {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(textOf(params[name])));
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query))
    if (value !== undefined && value !== null) search.append(name, textOf(value));
  return search.size === 0 ? filled : `${filled}?${search.toString()}`;
}

/** Only texts, numbers and booleans: paths and queries contain nothing else. */
function textOf(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}
