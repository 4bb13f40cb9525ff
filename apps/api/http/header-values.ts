// A header's values, however often it was sent: `headers` keeps one of them, and `headersDistinct` is made of all
// headers at once, which costs more than everything else that is done to let a request in.
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
