// All values of a header that may be sent several times: `headers` has one of them, and `headersDistinct` is built from
// all headers, which costs more than everything else that admits a request.
import type { IncomingMessage } from "node:http";

/** `name` in lower case. */
export function headerValues({ rawHeaders }: IncomingMessage, name: string): string[] {
  const values: string[] = [];
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const sent = rawHeaders[index] ?? "";
    if (sent.length === name.length && sent.toLowerCase() === name) values.push(rawHeaders[index + 1] ?? "");
  }
  return values;
}
