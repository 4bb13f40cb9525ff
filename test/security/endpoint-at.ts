// The endpoint that a request addresses, by the table alone.
import { endpointNames, endpoints, type EndpointName } from "#contract/endpoints.ts";

/** Undefined for a path or a method that no endpoint has. `path`: normalized by URL rules. */
export function endpointAt(method: string, path: string): EndpointName | undefined {
  const served = method === "HEAD" ? "GET" : method;
  return endpointNames.find((name) => {
    const pattern = new RegExp(`^${endpoints[name].path.replaceAll(/\{\w+\}/g, "[^/]+")}$`);
    return endpoints[name].method === served && pattern.test(path);
  });
}
