// A link to a file of the server, which the browser stores. It looks like a button.
import type { DashboardEndpointName } from "#contract/dashboard/endpoints.ts";
import { addressOf, type Addressed } from "../api/address-of.ts";
import { buttonClass, type ButtonLook } from "./button.tsx";

type Props<Name extends DashboardEndpointName> = ButtonLook & {
  endpoint: Name;
  params: Addressed<Name>["params"];
  query?: Addressed<Name>["query"];
  children: string;
};

export function DownloadLink<Name extends DashboardEndpointName>({
  endpoint,
  params,
  query,
  children,
  ...look
}: Props<Name>) {
  const { url } = addressOf(endpoint, { params, query } as Addressed<Name>);
  return (
    <a href={url} download className={buttonClass(look)}>
      {children}
    </a>
  );
}
